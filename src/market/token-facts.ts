import type { AddressIds } from '../lib/address-ids.ts';
import type { TokenRecord } from '../model/token-record.ts';
import type { Address } from '../model/units.ts';
import { GrowingBigints } from './growing-bigints.ts';
import { GrowingNumbers } from './growing-numbers.ts';

export type Supply = Pick<TokenRecord, 'supplyRaw' | 'burnedRaw' | 'decimals'>;

/** Bytes of a text of one byte a character, beside its characters. */
const TEXT_BYTES = 16;

/** What tokens are filtered by beside their figures, by row: numbers, and two texts each. */
export class TokenFacts {
  private readonly ids: AddressIds<Address>;
  /** Ids of addresses plus one, and decimals plus one; 0 for none. */
  private readonly creators = new GrowingNumbers('u32');
  private readonly primaryPools = new GrowingNumbers('u32');
  private readonly decimals = new GrowingNumbers('u16');
  private readonly supplies = new GrowingBigints();
  private readonly burned = new GrowingBigints();
  /** In lower case, for searches. */
  private readonly names: string[] = [];
  private readonly symbols: string[] = [];
  private textBytes = 0;

  constructor(ids: AddressIds<Address>) {
    this.ids = ids;
  }

  /** Approximate as to texts. */
  get allocatedBytes(): number {
    const { creators, primaryPools, decimals, supplies, burned } = this;
    const columns = [creators, primaryPools, decimals, supplies, burned];
    return columns.reduce((sum, column) => sum + column.allocatedBytes, this.textBytes);
  }

  put(row: number, token: TokenRecord): void {
    const { creator, primaryPool, name, symbol, supplyRaw, burnedRaw, decimals } = token;
    this.creators.set(row, this.numberOf(creator));
    this.primaryPools.set(row, this.numberOf(primaryPool));
    this.decimals.set(row, decimals === null ? 0 : decimals + 1);
    this.supplies.set(row, supplyRaw);
    this.burned.set(row, burnedRaw);
    this.setText(this.names, row, name);
    this.setText(this.symbols, row, symbol);
  }

  supplyOf(row: number): Supply {
    const decimals = this.decimals.get(row);
    return {
      supplyRaw: this.supplies.get(row) as Supply['supplyRaw'],
      burnedRaw: (this.burned.get(row) ?? 0n) as Supply['burnedRaw'],
      decimals: decimals === 0 ? null : decimals - 1,
    };
  }

  primaryPoolOf(row: number): Address | null {
    const number = this.primaryPools.get(row);
    return number === 0 ? null : this.ids.addressOf(number - 1);
  }

  isNameless(row: number): boolean {
    return this.names[row] === '' && this.symbols[row] === '';
  }

  /** Whether a text in lower case is a part of the name or the symbol. */
  hasText(row: number, text: string): boolean {
    const isIn = (texts: readonly string[]) => texts[row]?.includes(text) ?? false;
    return isIn(this.names) || isIn(this.symbols);
  }

  /** Whether a row is of a creator. */
  matcherOf(creator: Address): (row: number) => boolean {
    const id = this.ids.find(creator);
    return (row) => id !== -1 && this.creators.get(row) === id + 1;
  }

  private numberOf(address: Address | null): number {
    return address === null ? 0 : this.ids.idOf(address) + 1;
  }

  /** Most texts stay: replacing them would move all of them to new memory again and again. */
  private setText(texts: string[], row: number, given: string | null): void {
    const text = (given ?? '').toLowerCase();
    const before = texts[row];
    if (before === text) return;
    this.textBytes += bytesOf(text) - (before === undefined ? 0 : bytesOf(before));
    texts[row] = text;
  }
}

function bytesOf(text: string): number {
  return TEXT_BYTES + text.length;
}
