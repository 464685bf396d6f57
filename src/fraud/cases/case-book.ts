import type { AddressIds } from '../../lib/address-ids.ts';
import { PairIndex } from '../../lib/pair-index.ts';
import { RowTable } from '../../lib/row-table.ts';
import { UndoLog } from '../../lib/undo-log.ts';
import type { CaseLiquidity, CasePayment, CaseTrade, CaseTransfer } from '../../model/mint-case.ts';
import type { Address } from '../../model/units.ts';
import { AgeQueue } from './age-queue.ts';
import { CASE_BOUNDS, type CaseBounds, type CaseCounts, noCounts } from './case-bounds.ts';
import type { EntryLog } from './entry-log.ts';
import type { EscrowLock } from './entry-rows.ts';
import { digestMint } from './mint-digest.ts';
import { createMintLogs } from './mint-logs.ts';
import { addMint, isIdle, MINT_LAYOUT } from './mint-row.ts';
import { PaymentLogs } from './payment-logs.ts';
import type { TradeRows } from './trade-rows.ts';

/** Maximum number of mints forgotten in one call, to bound its duration. */
const FORGET_STEP = 256;

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
 * At most 725 MiB when full, half of it payments (`CASE_BOUNDS`).
 *
 * The least recently traded mint is evicted when there are too many mints, or too many rows of a
 * kind over all mints; mints that never traded are evicted before it. Untraded mints have a
 * separate bound, which prevents tokens that are only transferred from evicting traded ones.
 * Evictions are counted. Callers must leave out entries without value that would evict others:
 * payments of dust, and quote mints.
 */
export class CaseBook {
  private readonly undo: UndoLog;
  private readonly ids: AddressIds<Address>;
  private readonly bounds: CaseBounds;
  private readonly tally: CaseCounts = noCounts();
  private readonly mints: RowTable;
  private readonly index: PairIndex;
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
    const mints = new RowTable(MINT_LAYOUT, undo);
    this.mints = mints;
    this.index = new PairIndex(undo);
    this.traded = new AgeQueue(mints, MINT, undo);
    this.untraded = new AgeQueue(mints, MINT, undo);
    const logs = createMintLogs(mints, ids, this.bounds, undo);
    this.tradeRows = logs.tradeRows;
    this.tradeLog = logs.trades;
    this.transferLog = logs.transfers;
    this.liquidityLog = logs.liquidity;
    this.lockLog = logs.locks;
    this.paymentLogs = new PaymentLogs(ids, this.bounds, this.tally, undo);
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
    let left = FORGET_STEP;
    for (const queue of [this.traded, this.untraded]) {
      while (left > 0 && queue.oldest !== -1 && isIdle(this.mints, queue.oldest, timeMs)) {
        this.forget(queue.oldest, 'mintsForgotten');
        left--;
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
    if (row === -1) return 0;
    return this.logs().reduce((sum, log) => sum + log.countOf(row), 0);
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
    return { ...this.tally };
  }

  /** Bytes of all rows and indexes, including free ones. */
  get allocatedBytes(): number {
    let bytes = this.mints.allocatedBytes + this.index.allocatedBytes;
    for (const log of this.logs()) bytes += log.allocatedBytes;
    return bytes + this.tradeRows.cosigners.allocatedBytes + this.paymentLogs.allocatedBytes;
  }

  /** Mints and wallets in eviction order. */
  *digestRows(): Iterable<string> {
    yield `case counts ${JSON.stringify(this.tally)}`;
    const { ids, mints, tradeLog: trades, transferLog: transfers } = this;
    const logs = { trades, transfers, liquidity: this.liquidityLog, locks: this.lockLog };
    for (const queue of [this.traded, this.untraded]) {
      for (const row of queue.all()) {
        yield* digestMint(ids.addressOf(mints.number(row, MINT.mint)), row, mints, logs);
      }
    }
    yield* this.paymentLogs.digestRows();
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
    this.makeSpace(row);
  }

  /** The row of a mint; replaces a row that has been idle for a week with a new one. */
  private rowOf(mint: Address, timeMs: number): number {
    const id = this.ids.idOf(mint);
    const known = this.index.get(0, id);
    if (known !== -1 && !isIdle(this.mints, known, timeMs)) return known;
    if (known !== -1) this.forget(known, 'mintsForgotten');
    const row = addMint(this.mints, id, timeMs);
    this.index.set(0, id, row);
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

  private makeSpace(written: number): void {
    const { mintsMax, untradedMax } = this.bounds;
    while (this.traded.size > mintsMax) this.forget(this.traded.oldest, 'mintsCut');
    while (this.untraded.size > untradedMax) this.forget(this.untraded.oldest, 'mintsCut');
    while (this.hasTooManyRows()) {
      const oldest = this.oldestExcept(written);
      if (oldest === -1) return;
      this.forget(oldest, 'mintsCut');
    }
  }

  private hasTooManyRows(): boolean {
    const { bounds, tradeRows, transferLog, liquidityLog, lockLog } = this;
    return (
      tradeRows.table.size > bounds.tradeRowsMax ||
      tradeRows.cosigners.size > bounds.cosignerRowsMax ||
      transferLog.rows.table.size > bounds.transferRowsMax ||
      liquidityLog.rows.table.size > bounds.liquidityRowsMax ||
      lockLog.rows.table.size > bounds.lockRowsMax
    );
  }

  /** The next mint to evict: untraded ones first, never the one just written. */
  private oldestExcept(written: number): number {
    for (const queue of [this.untraded, this.traded]) {
      for (const row of queue.all()) if (row !== written) return row;
    }
    return -1;
  }

  private forget(row: number, reason: keyof CaseCounts): void {
    for (const log of this.logs()) log.forget(row);
    this.queueOf(row).remove(row);
    this.index.delete(0, this.mints.number(row, MINT.mint));
    this.mints.remove(row);
    this.count(reason);
  }

  private queueOf(row: number): AgeQueue {
    return this.mints.number(row, MINT.isTraded) === 1 ? this.traded : this.untraded;
  }

  private logs() {
    return [this.tradeLog, this.transferLog, this.liquidityLog, this.lockLog] as const;
  }

  private find(mint: Address): number {
    const id = this.ids.find(mint);
    return id === -1 ? -1 : this.index.get(0, id);
  }

  private count(name: keyof CaseCounts): void {
    this.undo.keep(this.tally);
    this.tally[name]++;
  }
}
