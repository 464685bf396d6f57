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

/** Mints forgotten in one call, so that none takes long. */
const FORGET_STEP = 256;

const MINT = MINT_LAYOUT.fields;

/** One entry of a mint and where it goes. */
interface Addition<Entry> {
  readonly entry: Entry;
  readonly log: EntryLog<Entry>;
  readonly cut: keyof CaseCounts;
  readonly isTrade: boolean;
}

/**
 * The lists of a MintCase for every mint that trades, and the payments of wallets, as rows of bytes:
 * of each list the first entries and the newest. Entries come in block order and leave in it.
 *
 * With everything full at most 725 MiB, half of it payments (`CASE_BOUNDS`).
 *
 * The mint that was traded longest ago makes room for others, also when there are too many rows of a
 * kind over all mints; one that never traded goes before it. Mints without a trade wait beside, so
 * that tokens which are only sent around push out none that trade. What each bound cost is counted.
 * Whoever feeds it leaves out what says nothing and would push out the rest: dust among payments,
 * and the mints in which others are paid.
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
  /** What wallets paid and were paid. */
  readonly paymentLogs: PaymentLogs;

  /** `ids` writes to the same `undo`; others may use it too. */
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

  /** Takes a lock when it is made; what became of it since is another book's matter. */
  applyLock(mint: Address, lock: EscrowLock): void {
    this.add(mint, { entry: lock, log: this.lockLog, cut: 'locksCut', isTrade: false });
  }

  applyPayment(payment: CasePayment): void {
    if (!this.paymentLogs.apply(payment)) this.count('refused');
  }

  /** Forgets, a few at a time, mints that were not traded for a week. */
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
   * The same to be read now, before anything changes: some of it is made when it is asked for. Programs
   * that are not private are left out.
   */
  viewTrades(mint: Address, isPrivate: (program: Address) => boolean): CaseTrade[] {
    const row = this.find(mint);
    if (row === -1) return [];
    return this.tradeLog.rowsOf(row).map((entry) => this.tradeRows.look(entry, mint, isPrivate));
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

  /** Entries that a case of the mint would have, payments left out. */
  entryCount(mint: Address): number {
    const row = this.find(mint);
    if (row === -1) return 0;
    return this.logs().reduce((sum, log) => sum + log.countOf(row), 0);
  }

  hasTrades(mint: Address): boolean {
    const row = this.find(mint);
    return row !== -1 && this.tradeLog.countOf(row) > 0;
  }

  /** What any of these paid or was paid, each payment once. */
  payments(wallets: Iterable<Address>): CasePayment[] {
    return this.paymentLogs.of(wallets);
  }

  /** Mints of which something is kept. */
  get size(): number {
    return this.mints.size;
  }

  get counts(): Readonly<CaseCounts> {
    return { ...this.tally };
  }

  /** Bytes of all rows and indexes, free ones included. */
  get allocatedBytes(): number {
    let bytes = this.mints.allocatedBytes + this.index.allocatedBytes;
    for (const log of this.logs()) bytes += log.allocatedBytes;
    return bytes + this.tradeRows.cosigners.allocatedBytes + this.paymentLogs.allocatedBytes;
  }

  /** Mints and wallets as they make room, the next one first. */
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

  /** The row of a mint; a new one also when the old one is of a life that ended a week ago. */
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
      const oldest = this.oldestBeside(written);
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

  /** Those that never traded make room before those that did; never the one just written. */
  private oldestBeside(written: number): number {
    for (const queue of [this.untraded, this.traded]) {
      for (const row of queue.all()) if (row !== written) return row;
    }
    return -1;
  }

  private forget(row: number, why: keyof CaseCounts): void {
    for (const log of this.logs()) log.forget(row);
    this.queueOf(row).remove(row);
    this.index.delete(0, this.mints.number(row, MINT.mint));
    this.mints.remove(row);
    this.count(why);
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
