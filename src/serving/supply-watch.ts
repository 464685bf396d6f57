import type { TokenRecord } from '../model/derived.ts';
import type { Address, RawAmount, Slot } from '../model/units.ts';

/** Tokens that change lately; of those that did not for long nobody remembers the supply. */
const TOKENS_MAX = 50_000;

/**
 * Which tokens have another supply than when they last changed. A token is known from its first
 * change on, or from its creation: what changed nobody knows of one that is seen for the first time.
 */
export class SupplyWatch {
  private readonly supplies = new Map<Address, RawAmount | null>();
  private readonly sizeMax: number;

  constructor(sizeMax = TOKENS_MAX) {
    this.sizeMax = sizeMax;
  }

  /** Tokens as a slot left them. Returns those whose supply is another, without those it created. */
  note(tokens: readonly TokenRecord[], slot: Slot): TokenRecord[] {
    return tokens.filter(({ mint, supplyRaw, creationSlot }) => {
      const before = this.supplies.get(mint);
      // The newest stand last.
      this.supplies.delete(mint);
      this.supplies.set(mint, supplyRaw);
      this.forgetOldest();
      return before !== undefined && before !== supplyRaw && creationSlot !== slot;
    });
  }

  /** A slot with these tokens was taken back: what they had before it is not known. */
  takeBack(tokens: readonly TokenRecord[]): void {
    for (const { mint } of tokens) this.supplies.delete(mint);
  }

  clear(): void {
    this.supplies.clear();
  }

  private forgetOldest(): void {
    if (this.supplies.size <= this.sizeMax) return;
    for (const mint of this.supplies.keys()) {
      this.supplies.delete(mint);
      return;
    }
  }
}
