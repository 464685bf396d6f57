import type { AddressIds } from '../../lib/address-ids.ts';
import { IdRows } from '../../lib/id-rows.ts';
import { RowTable } from '../../lib/row-table.ts';
import { StateValue } from '../../lib/state-value.ts';
import { UndoLog } from '../../lib/undo-log.ts';
import type { CaseLiquidity, CasePayment, CaseTrade, CaseTransfer } from '../../model/mint-case.ts';
import type { Address } from '../../model/units.ts';
import { AgeQueue } from './age-queue.ts';
import { CASE_BOUNDS, type CaseBounds, type CaseCounts, noCounts } from './case-bounds.ts';
import type { EntryLog } from './entry-log.ts';
import type { EscrowLock } from './entry-rows.ts';
import { createMintLogs } from './mint-logs.ts';
import { addMint, isIdle, MINT_LAYOUT } from './mint-row.ts';
import { PaymentLogs } from './payment-logs.ts';
import type { TradeRows } from './trade-rows.ts';

/** Entries that are forgotten in one call, to bound its duration; the last mint may exceed them. */
const FORGET_ENTRIES = 4_096;
/** What forgetting a mint costs beside its entries, in entries. */
const MINT_ENTRIES = 16;

const MINT = MINT_LAYOUT.fields;

/** One entry of a mint and the log it is added to. */
interface Addition<Entry> {
  readonly entry: Entry;
  readonly log: EntryLog<Entry>;
  readonly cut: keyof CaseCounts;
  readonly isTrade: boolean;
}

/**
 * The lists of a MintCase for every mint that trades, and the payments of wallets, stored as rows
 * of bytes. Each list keeps its first and its newest entries, in block order.
 *
 * A mint that was not traded for a week is forgotten. Entries that a list drops and forgotten mints
 * are counted. Callers must leave out entries without value that would displace others: payments
 * of dust, and quote mints.
 */
export class CaseBook {
  private readonly undo: UndoLog;
  private readonly ids: AddressIds<Address>;
  private readonly bounds: CaseBounds;
  private readonly tally: StateValue<CaseCounts>;
  private readonly mints: RowTable;
  /** Row by mint. */
  private readonly index: IdRows;
  private readonly traded: AgeQueue;
  private readonly untraded: AgeQueue;
  private readonly tradeRows: TradeRows;
  private readonly tradeLog: EntryLog<CaseTrade>;
  private readonly transferLog: EntryLog<CaseTransfer>;
  private readonly liquidityLog: EntryLog<CaseLiquidity>;
  private readonly lockLog: EntryLog<EscrowLock>;
  /** Payments from and to wallets. */
  readonly paymentLogs: PaymentLogs;

  /** `ids` must record its changes in the same `undo`; it may be shared with other books. */
  constructor(
    ids: AddressIds<Address>,
    undo = new UndoLog(),
    bounds: Partial<CaseBounds> = CASE_BOUNDS,
  ) {
    this.undo = undo;
    this.ids = ids;
    this.bounds = { ...CASE_BOUNDS, ...bounds };
    this.tally = new StateValue(noCounts(), undo, 'case counts');
    const mints = new RowTable(MINT_LAYOUT, undo, 'mints of cases');
    this.mints = mints;
    this.index = new IdRows(undo, 'mints of cases by mint');
    this.traded = new AgeQueue(mints, MINT, undo, 'traded mints by age');
    this.untraded = new AgeQueue(mints, MINT, undo, 'untraded mints by age');
    const logs = createMintLogs(mints, ids, this.bounds, undo);
    this.tradeRows = logs.tradeRows;
    this.tradeLog = logs.trades;
    this.transferLog = logs.transfers;
    this.liquidityLog = logs.liquidity;
    this.lockLog = logs.locks;
    this.paymentLogs = new PaymentLogs(ids, this.bounds, this.tally.now, undo);
  }

  applyTrade(mint: Address, trade: CaseTrade): void {
    this.add(mint, { entry: trade, log: this.tradeLog, cut: 'tradesCut', isTrade: true });
  }

  applyTransfer(mint: Address, transfer: CaseTransfer): void {
    const log = this.transferLog;
    this.add(mint, { entry: transfer, log, cut: 'transfersCut', isTrade: false });
  }

  applyLiquidity(mint: Address, change: CaseLiquidity): void {
    const log = this.liquidityLog;
    this.add(mint, { entry: change, log, cut: 'liquidityCut', isTrade: false });
  }

  /** Adds a lock when it is created; the lock book tracks its later changes. */
  applyLock(mint: Address, lock: EscrowLock): void {
    this.add(mint, { entry: lock, log: this.lockLog, cut: 'locksCut', isTrade: false });
  }

  applyPayment(payment: CasePayment): void {
    if (!this.paymentLogs.apply(payment)) this.count('refused');
  }

  /** Forgets mints that were not traded for a week, a bounded number per call. */
  forgetIdle(timeMs: number): void {
    let left = FORGET_ENTRIES;
    for (const queue of [this.traded, this.untraded]) {
      while (left > 0 && queue.oldest !== -1 && isIdle(this.mints, queue.oldest, timeMs)) {
        left -= MINT_ENTRIES + this.entriesOf(queue.oldest);
        this.forget(queue.oldest, 'mintsForgotten');
      }
    }
  }

  trades(mint: Address): CaseTrade[] {
    const row = this.find(mint);
    return row === -1 ? [] : this.tradeLog.of(row, mint);
  }

  /**
   * Views of the trades, valid until the book changes: some properties are computed on access.
   * Programs that are not private are left out.
   */
  viewTrades(mint: Address, isPrivate: (program: Address) => boolean): CaseTrade[] {
    const row = this.find(mint);
    if (row === -1) return [];
    return this.tradeLog.map(row, (entry) => this.tradeRows.view(entry, mint, isPrivate));
  }

  transfers(mint: Address): CaseTransfer[] {
    const row = this.find(mint);
    return row === -1 ? [] : this.transferLog.of(row, mint);
  }

  liquidity(mint: Address): CaseLiquidity[] {
    const row = this.find(mint);
    return row === -1 ? [] : this.liquidityLog.of(row, mint);
  }

  locks(mint: Address): EscrowLock[] {
    const row = this.find(mint);
    return row === -1 ? [] : this.lockLog.of(row, mint);
  }

  /** Number of entries that a case of the mint would have, without payments. */
  entryCount(mint: Address): number {
    const row = this.find(mint);
    return row === -1 ? 0 : this.entriesOf(row);
  }

  hasTrades(mint: Address): boolean {
    const row = this.find(mint);
    return row !== -1 && this.tradeLog.countOf(row) > 0;
  }

  /** Payments from or to any of the wallets, each once. */
  payments(wallets: Iterable<Address>): CasePayment[] {
    return this.paymentLogs.of(wallets);
  }

  /** Number of mints with stored entries. */
  get size(): number {
    return this.mints.size;
  }

  get counts(): Readonly<CaseCounts> {
    return { ...this.tally.now };
  }

  /** Bytes of all rows and indexes, including free ones. */
  get allocatedBytes(): number {
    let bytes = this.mints.allocatedBytes + this.index.allocatedBytes;
    for (const log of this.logs()) bytes += log.allocatedBytes;
    return bytes + this.tradeRows.cosigners.allocatedBytes + this.paymentLogs.allocatedBytes;
  }

  private add<Entry extends { readonly timeMs: number }>(
    mint: Address,
    { entry, log, cut, isTrade }: Addition<Entry>,
  ): void {
    const added = log.rows.add(entry);
    if (added === -1) {
      this.count('refused');
      return;
    }
    const row = this.rowOf(mint, entry.timeMs);
    if (isTrade) this.noteTrade(row, entry.timeMs);
    if (log.append(row, added)) this.count(cut);
  }

  /** The row of a mint; replaces a row that has been idle for a week with a new one. */
  private rowOf(mint: Address, timeMs: number): number {
    const id = this.ids.idOf(mint);
    const known = this.index.get(id);
    if (known !== -1 && !isIdle(this.mints, known, timeMs)) return known;
    if (known !== -1) this.forget(known, 'mintsForgotten');
    const row = addMint(this.mints, id, timeMs);
    this.index.set(id, row);
    this.untraded.push(row);
    return row;
  }

  private noteTrade(row: number, timeMs: number): void {
    this.mints.setNumber(row, MINT.lastMs, timeMs);
    if (this.mints.number(row, MINT.isTraded) === 1) {
      this.traded.renew(row);
      return;
    }
    this.untraded.remove(row);
    this.mints.setNumber(row, MINT.isTraded, 1);
    this.traded.push(row);
  }

  private forget(row: number, reason: keyof CaseCounts): void {
    for (const log of this.logs()) log.forget(row);
    this.queueOf(row).remove(row);
    this.index.delete(this.mints.number(row, MINT.mint));
    this.mints.remove(row);
    this.count(reason);
  }

  private entriesOf(row: number): number {
    return this.logs().reduce((sum, log) => sum + log.countOf(row), 0);
  }

  private queueOf(row: number): AgeQueue {
    return this.mints.number(row, MINT.isTraded) === 1 ? this.traded : this.untraded;
  }

  private logs() {
    return [this.tradeLog, this.transferLog, this.liquidityLog, this.lockLog] as const;
  }

  private find(mint: Address): number {
    return this.index.get(this.ids.find(mint));
  }

  private count(name: keyof CaseCounts): void {
    this.undo.keep(this.tally.now);
    this.tally.now[name]++;
  }
}
