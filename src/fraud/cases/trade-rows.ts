import { groupName, indexOfGroup } from '../../fold/market/placed-groups.ts';
import type { AddressIds } from '../../lib/address-ids.ts';
import type { Field } from '../../lib/row-layout.ts';
import { RowTable } from '../../lib/row-table.ts';
import type { UndoLog } from '../../lib/undo-log.ts';
import type { BundleLevel } from '../../model/derived.ts';
import type { CaseTrade } from '../../model/mint-case.ts';
import type { Side } from '../../model/swap.ts';
import type { Address, Lamports, RawAmount, Signature, Slot, UsdNano } from '../../model/units.ts';
import {
  COSIGNER_LAYOUT,
  isTransactionRef,
  isWord,
  readSignature,
  TRADE_LAYOUT,
  writeTransactionRef,
} from './case-rows.ts';
import type { EntryRows } from './entry-rows.ts';

const FIELD = TRADE_LAYOUT.fields;
const COSIGNER = COSIGNER_LAYOUT.fields;

/** Their place is what a row holds: a new level goes to the end. */
const LEVELS: readonly BundleLevel[] = ['L1', 'L2', 'L2o', 'L3'];

/** Most trades have none. */
const NO_COSIGNERS: readonly Address[] = [];

const IS_SELL = 1;
const HAS_USD = 2;
const HAS_PRICE = 4;
const HAS_POOL_LAMPORTS = 8;
const IS_ROUND_TRIP = 16;
const IS_ARBITRAGE = 32;
const IS_TERMINAL = 64;

/**
 * Trades as rows of 152 bytes, and 8 for each cosigner. Dollars and reserves that 64 bits cannot hold
 * are unknown. Of a group there is the index of its first transaction, which names it.
 */
export class TradeRows implements EntryRows<CaseTrade> {
  readonly table: RowTable;
  readonly cosigners: RowTable;
  readonly ids: AddressIds<Address>;

  constructor(ids: AddressIds<Address>, undo: UndoLog) {
    this.ids = ids;
    this.table = new RowTable(TRADE_LAYOUT, undo);
    this.cosigners = new RowTable(COSIGNER_LAYOUT, undo);
  }

  /** Throws RangeError for a group with a name that `groupName` did not make. */
  add(trade: CaseTrade): number {
    if (!isWord(trade.baseRaw) || !isWord(trade.lamports) || !isTransactionRef(trade)) return -1;
    const { table, ids } = this;
    const row = table.add();
    const { page, at } = writeTransactionRef(table, row, FIELD, trade);
    const { privateProgram, usd, poolLamports, group } = trade;
    const put = (field: Field<'u32'>, value: number) =>
      page.setUint32(at + field.offset, value, true);
    const wallet = ids.idOf(trade.wallet);
    put(FIELD.wallet, wallet);
    put(FIELD.feePayer, trade.feePayer === trade.wallet ? wallet : ids.idOf(trade.feePayer));
    put(FIELD.pool, ids.idOf(trade.pool));
    put(FIELD.privateProgram, privateProgram === null ? 0 : ids.idOf(privateProgram) + 1);
    put(FIELD.cosigner, this.addCosigners(trade.cosigners));
    page.setBigUint64(at + FIELD.baseRaw.offset, trade.baseRaw, true);
    page.setBigUint64(at + FIELD.lamports.offset, trade.lamports, true);
    page.setBigUint64(at + FIELD.usd.offset, knownWord(usd) ?? 0n, true);
    page.setBigUint64(at + FIELD.poolLamports.offset, knownWord(poolLamports) ?? 0n, true);
    page.setFloat64(at + FIELD.priceSol.offset, trade.priceSol ?? 0, true);
    page.setUint8(at + FIELD.flags.offset, flagsOf(trade));
    if (group === null) return row;
    table.setNumber(row, FIELD.group, indexOfGroup(group.id) + 1);
    page.setUint8(at + FIELD.level.offset, LEVELS.indexOf(group.level));
    return row;
  }

  read(row: number, mint: Address): CaseTrade {
    const look = new TradeView(this, row, { mint, isPrivate: isAnything });
    return {
      slot: look.slot,
      timeMs: look.timeMs,
      txIndex: look.txIndex,
      signature: look.signature,
      wallet: look.wallet,
      feePayer: look.feePayer,
      cosigners: look.cosigners,
      pool: look.pool,
      side: look.side,
      baseRaw: look.baseRaw,
      lamports: look.lamports,
      usd: look.usd,
      priceSol: look.priceSol,
      poolLamports: look.poolLamports,
      group: look.group,
      isRoundTrip: look.isRoundTrip,
      isArbitrage: look.isArbitrage,
      isTerminal: look.isTerminal,
      privateProgram: look.privateProgram,
    };
  }

  /** The same to be read now, before anything changes: what is seldom asked for is made when it is. */
  look(row: number, mint: Address, isPrivate: (program: Address) => boolean): CaseTrade {
    return new TradeView(this, row, { mint, isPrivate });
  }

  remove(row: number): void {
    let next = this.table.number(row, FIELD.cosigner);
    while (next !== 0) {
      const cosigner = next - 1;
      next = this.cosigners.number(cosigner, COSIGNER.next);
      this.cosigners.remove(cosigner);
    }
    this.table.remove(row);
  }

  /** A transaction's size bounds how many sign it: twelve in one of 1,232 bytes. */
  private addCosigners(wallets: readonly Address[]): number {
    let first = 0;
    if (wallets.length === 0) return first;
    for (const wallet of wallets.toReversed()) {
      const row = this.cosigners.add();
      this.cosigners.setNumber(row, COSIGNER.wallet, this.ids.idOf(wallet));
      this.cosigners.setNumber(row, COSIGNER.next, first);
      first = row + 1;
    }
    return first;
  }

  /** Those of a trade from the first row plus one on. */
  cosignersFrom(first: number): readonly Address[] {
    if (first === 0) return NO_COSIGNERS;
    const wallets: Address[] = [];
    for (let next = first; next !== 0; next = this.cosigners.number(next - 1, COSIGNER.next)) {
      wallets.push(this.ids.addressOf(this.cosigners.number(next - 1, COSIGNER.wallet)));
    }
    return wallets;
  }
}

function isAnything(): boolean {
  return true;
}

/** What a row does not say. */
interface TradeSurroundings {
  readonly mint: Address;
  readonly isPrivate: (program: Address) => boolean;
}

/** A row as a trade. */
class TradeView implements CaseTrade {
  readonly slot: Slot;
  readonly timeMs: number;
  readonly txIndex: number;
  readonly wallet: Address;
  readonly feePayer: Address;
  readonly cosigners: readonly Address[];
  readonly pool: Address;
  readonly side: Side;
  readonly baseRaw: RawAmount;
  readonly lamports: Lamports;
  readonly priceSol: number | null;
  readonly group: CaseTrade['group'];
  readonly isRoundTrip: boolean;
  readonly isArbitrage: boolean;
  readonly isTerminal: boolean;
  readonly privateProgram: Address | null;
  private readonly table: RowTable;
  private readonly row: number;
  private readonly flags: number;
  #signature: Signature | null = null;

  constructor(rows: TradeRows, row: number, { mint, isPrivate }: TradeSurroundings) {
    const { table, ids } = rows;
    const page = table.viewOf(row);
    const at = table.startOf(row);
    const numberOf = (field: Field<'u32'>) => page.getUint32(at + field.offset, true);
    const flags = page.getUint8(at + FIELD.flags.offset);
    const program = numberOf(FIELD.privateProgram);
    const group = numberOf(FIELD.group);
    this.table = table;
    this.row = row;
    this.flags = flags;
    this.slot = numberOf(FIELD.slot) as Slot;
    this.timeMs = page.getFloat64(at + FIELD.timeMs.offset, true);
    this.txIndex = numberOf(FIELD.txIndex);
    this.wallet = ids.addressOf(numberOf(FIELD.wallet));
    this.feePayer = ids.addressOf(numberOf(FIELD.feePayer));
    this.cosigners = rows.cosignersFrom(numberOf(FIELD.cosigner));
    this.pool = ids.addressOf(numberOf(FIELD.pool));
    this.side = (flags & IS_SELL) === 0 ? 'buy' : 'sell';
    this.baseRaw = page.getBigUint64(at + FIELD.baseRaw.offset, true) as RawAmount;
    this.lamports = page.getBigUint64(at + FIELD.lamports.offset, true) as Lamports;
    this.priceSol =
      (flags & HAS_PRICE) === 0 ? null : page.getFloat64(at + FIELD.priceSol.offset, true);
    this.group =
      group === 0 ? null : groupOf(mint, group - 1, page.getUint8(at + FIELD.level.offset));
    this.isRoundTrip = (flags & IS_ROUND_TRIP) !== 0;
    this.isArbitrage = (flags & IS_ARBITRAGE) !== 0;
    this.isTerminal = (flags & IS_TERMINAL) !== 0;
    const privateProgram = program === 0 ? null : ids.addressOf(program - 1);
    this.privateProgram =
      privateProgram === null || !isPrivate(privateProgram) ? null : privateProgram;
  }

  get signature(): Signature {
    this.#signature ??= readSignature(this.table, this.row, FIELD);
    return this.#signature;
  }

  get usd(): UsdNano | null {
    const { table, row, flags } = this;
    return (flags & HAS_USD) === 0 ? null : (table.bigint(row, FIELD.usd) as UsdNano);
  }

  get poolLamports(): Lamports | null {
    const { table, row, flags } = this;
    if ((flags & HAS_POOL_LAMPORTS) === 0) return null;
    return table.bigint(row, FIELD.poolLamports) as Lamports;
  }
}

/** Trades of a group follow one another: its name is made once. */
const lastGroup = { mint: '', index: -1, place: -1, group: null as CaseTrade['group'] };

function groupOf(mint: Address, index: number, place: number): CaseTrade['group'] {
  if (lastGroup.mint === mint && lastGroup.index === index && lastGroup.place === place) {
    return lastGroup.group;
  }
  const level = LEVELS[place];
  const group = level === undefined ? null : { id: groupName(mint, index), level };
  lastGroup.mint = mint;
  lastGroup.index = index;
  lastGroup.place = place;
  lastGroup.group = group;
  return group;
}

function flagsOf(trade: CaseTrade): number {
  return (
    (trade.side === 'sell' ? IS_SELL : 0) |
    (knownWord(trade.usd) === null ? 0 : HAS_USD) |
    (trade.priceSol === null ? 0 : HAS_PRICE) |
    (knownWord(trade.poolLamports) === null ? 0 : HAS_POOL_LAMPORTS) |
    (trade.isRoundTrip ? IS_ROUND_TRIP : 0) |
    (trade.isArbitrage ? IS_ARBITRAGE : 0) |
    (trade.isTerminal ? IS_TERMINAL : 0)
  );
}

function knownWord(amount: bigint | null): bigint | null {
  return amount === null || !isWord(amount) ? null : amount;
}
