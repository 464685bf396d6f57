import { groupName, indexOfGroup } from '../../fold/market/placed-groups.ts';
import type { AddressIds } from '../../lib/address-ids.ts';
import type { Field } from '../../lib/row-layout.ts';
import { RowTable } from '../../lib/row-table.ts';
import type { UndoLog } from '../../lib/undo-log.ts';
import { BUNDLE_LEVELS } from '../../model/derived.ts';
import type { CaseTrade } from '../../model/mint-case.ts';
import type { Side } from '../../model/swap.ts';
import {
  type Address,
  asLamports,
  asRawAmount,
  asSlot,
  asUsdNano,
  type Lamports,
  type RawAmount,
  type Signature,
  type Slot,
  type UsdNano,
} from '../../model/units.ts';
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

/** Shared: most trades have no cosigners. */
const NO_COSIGNERS: readonly Address[] = [];

const IS_SELL = 1;
const HAS_USD = 2;
const HAS_PRICE = 4;
const HAS_POOL_LAMPORTS = 8;
const IS_ROUND_TRIP = 16;
const IS_ARBITRAGE = 32;
const IS_TERMINAL = 64;

/**
 * Stores trades as rows of 152 bytes, plus 8 bytes per cosigner. Dollar amounts and reserves of
 * more than 64 bits are stored as unknown. A group is stored as the index of its first transaction,
 * which determines its name.
 */
export class TradeRows implements EntryRows<CaseTrade> {
  readonly table: RowTable;
  readonly cosigners: RowTable;
  readonly ids: AddressIds<Address>;

  constructor(ids: AddressIds<Address>, undo: UndoLog) {
    this.ids = ids;
    this.table = new RowTable(TRADE_LAYOUT, undo, 'trades of cases');
    this.cosigners = new RowTable(COSIGNER_LAYOUT, undo, 'cosigners of cases');
  }

  /** Throws RangeError for a group with a name that `groupName` did not create. */
  add(trade: CaseTrade): number {
    if (!isWord(trade.baseRaw) || !isWord(trade.lamports) || !isTransactionRef(trade)) return -1;
    const { table, ids } = this;
    const row = table.add();
    const { page, at } = writeTransactionRef(table, row, FIELD, trade);
    const { privateProgram, group } = trade;
    const [usd, poolLamports] = [knownWord(trade.usd), knownWord(trade.poolLamports)];
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
    page.setBigUint64(at + FIELD.usd.offset, usd ?? 0n, true);
    page.setBigUint64(at + FIELD.poolLamports.offset, poolLamports ?? 0n, true);
    page.setFloat64(at + FIELD.priceSol.offset, trade.priceSol ?? 0, true);
    page.setUint8(at + FIELD.flags.offset, flagsOf(trade, usd, poolLamports));
    if (group === null) return row;
    table.setNumber(row, FIELD.group, indexOfGroup(group.id) + 1);
    page.setUint8(at + FIELD.level.offset, BUNDLE_LEVELS.indexOf(group.level));
    return row;
  }

  read(row: number, mint: Address): CaseTrade {
    const view = new TradeView(this, row, { mint, isPrivate: isAnything });
    return {
      slot: view.slot,
      timeMs: view.timeMs,
      txIndex: view.txIndex,
      signature: view.signature,
      wallet: view.wallet,
      feePayer: view.feePayer,
      cosigners: view.cosigners,
      pool: view.pool,
      side: view.side,
      baseRaw: view.baseRaw,
      lamports: view.lamports,
      usd: view.usd,
      priceSol: view.priceSol,
      poolLamports: view.poolLamports,
      group: view.group,
      isRoundTrip: view.isRoundTrip,
      isArbitrage: view.isArbitrage,
      isTerminal: view.isTerminal,
      privateProgram: view.privateProgram,
    };
  }

  /** A view of a trade, valid until the rows change: rarely used properties are read on access. */
  view(row: number, mint: Address, isPrivate: (program: Address) => boolean): CaseTrade {
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

  /** The transaction size of 1,232 bytes limits the number of signers to twelve. */
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

  /** The cosigners of a trade, from its first cosigner row plus one. */
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

/** Data of a trade that its row does not contain. */
interface TradeSurroundings {
  readonly mint: Address;
  readonly isPrivate: (program: Address) => boolean;
}

/** A view of a row as a trade. */
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
    this.slot = asSlot(numberOf(FIELD.slot));
    this.timeMs = page.getFloat64(at + FIELD.timeMs.offset, true);
    this.txIndex = numberOf(FIELD.txIndex);
    this.wallet = ids.addressOf(numberOf(FIELD.wallet));
    this.feePayer = ids.addressOf(numberOf(FIELD.feePayer));
    this.cosigners = rows.cosignersFrom(numberOf(FIELD.cosigner));
    this.pool = ids.addressOf(numberOf(FIELD.pool));
    this.side = (flags & IS_SELL) === 0 ? 'buy' : 'sell';
    this.baseRaw = asRawAmount(page.getBigUint64(at + FIELD.baseRaw.offset, true));
    this.lamports = asLamports(page.getBigUint64(at + FIELD.lamports.offset, true));
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
    return (flags & HAS_USD) === 0 ? null : asUsdNano(table.bigint(row, FIELD.usd));
  }

  get poolLamports(): Lamports | null {
    const { table, row, flags } = this;
    if ((flags & HAS_POOL_LAMPORTS) === 0) return null;
    return asLamports(table.bigint(row, FIELD.poolLamports));
  }
}

/** Cache: trades of a group follow each other, and its name is created once. */
const lastGroup = { mint: '', index: -1, levelIndex: -1, group: null as CaseTrade['group'] };

function groupOf(mint: Address, index: number, levelIndex: number): CaseTrade['group'] {
  if (lastGroup.mint === mint && lastGroup.index === index && lastGroup.levelIndex === levelIndex) {
    return lastGroup.group;
  }
  const level = BUNDLE_LEVELS[levelIndex];
  const group = level === undefined ? null : { id: groupName(mint, index), level };
  lastGroup.mint = mint;
  lastGroup.index = index;
  lastGroup.levelIndex = levelIndex;
  lastGroup.group = group;
  return group;
}

function flagsOf(trade: CaseTrade, usd: bigint | null, poolLamports: bigint | null): number {
  return (
    (trade.side === 'sell' ? IS_SELL : 0) |
    (usd === null ? 0 : HAS_USD) |
    (trade.priceSol === null ? 0 : HAS_PRICE) |
    (poolLamports === null ? 0 : HAS_POOL_LAMPORTS) |
    (trade.isRoundTrip ? IS_ROUND_TRIP : 0) |
    (trade.isArbitrage ? IS_ARBITRAGE : 0) |
    (trade.isTerminal ? IS_TERMINAL : 0)
  );
}

function knownWord(amount: bigint | null): bigint | null {
  return amount === null || !isWord(amount) ? null : amount;
}
