import { AddressIds } from '../../lib/address-ids.ts';
import { StateValue } from '../../lib/state-value.ts';
import type { UndoLog } from '../../lib/undo-log.ts';
import type { Address, RawAmount } from '../../model/units.ts';
import type { CaseUpdate } from '../cases/case-update.ts';
import { type AwaitedMint, AwaitedMints, type Evaluation } from './awaited-mints.ts';

/** Interval of routine evaluations of a mint that keeps trading. */
const ROUTINE_MS = 30_000;
/** A routine evaluation needs one slot with updates per this many entries of the last case. */
const ENTRIES_PER_UPDATE = 50;
/** Longest time between routine evaluations of a mint with updates. */
const LATEST_MS = 600_000;
/** Urgent: at least this many buyers within one slot, */
const BUYERS_MIN = 3;
/** or at least 1/100 of the supply sold since the last evaluation. */
const SOLD_PART = 100n;
/**
 * Well founded: this many buyers placed together, 1/20 of the supply sold, or liquidity withdrawn.
 */
const GROUPED_BUYERS_MIN = 3;
const MUCH_SOLD_PART = 20n;
/** An urgent mint waits one slot per this many entries of its case; fewer if well founded. */
const ENTRIES_PER_SLOT = 8;
const ENTRIES_PER_SLOT_WELL = 64;
/**
 * Budget of case entries to evaluate. Each slot adds as many entries as it has trades, within a
 * minimum and a maximum, which bounds the cost of evaluations relative to trades. Unused budget is
 * kept up to a reserve. The last case of a slot may overdraw the budget, and well-founded mints are
 * evaluated down to a maximum debt; later slots pay it back.
 */
const ENTRIES_OF_SLOT = 250;
const ENTRIES_OF_SLOT_MAX = 1_000;
const ENTRIES_RESERVE = 8_000;
const ENTRIES_DEBT_MAX = 10_000;
/** Fixed cost of evaluating a mint, in entries. */
const VIEW_ENTRIES = 60;

/**
 * Maximum number of waiting mints, which bounds the work of a slot; beyond it the longest waiting
 * one is dropped until its next trade.
 */
export const AWAITED_MAX = 10_000;

/** Figures of mints that the schedule reads. */
export interface CaseSizes {
  /** Number of entries that a case of the mint would have. */
  readonly entriesOf: (mint: Address) => number;
  /** Supply of the mint; null when unknown. */
  readonly supplyOf: (mint: Address) => RawAmount | null;
}

/**
 * Decides which mints detectors evaluate, and when (METHODS §7.2, never for every trade): at once
 * when trades were placed together, several wallets bought in one slot, much was sold or liquidity
 * was withdrawn; otherwise at intervals while the mint trades. The work per slot is bounded; other
 * mints wait. Decisions depend on slots and their times only.
 */
export class EvaluationSchedule {
  private readonly undo: UndoLog;
  private readonly awaited: AwaitedMints;
  /** The budget, and the trades since it was last raised. */
  private readonly budget: StateValue<{ entries: number; trades: number }>;

  constructor(undo: UndoLog, ids = new AddressIds<Address>(undo)) {
    this.undo = undo;
    this.awaited = new AwaitedMints(undo, ids);
    this.budget = new StateValue(
      { entries: ENTRIES_RESERVE, trades: 0 },
      undo,
      'evaluation budget',
    );
  }

  /** Notes the change that a slot made to the case of one mint. */
  note(update: CaseUpdate, timeMs: number, { supplyOf }: CaseSizes): void {
    if (update.trades === 0 && !update.isLiquidityOut) return;
    const { awaited } = this;
    const budget = this.budget.now;
    this.undo.keep(budget);
    budget.trades += update.trades;
    const row = this.rowOf(update.mint, timeMs);
    const { soldRaw, ...known } = awaited.noteUpdate(row, update.soldRaw);
    if (known.isUrgent && known.isWellFounded) return;
    // Only sales are compared with the supply.
    const supplyRaw = soldRaw > 0n ? supplyOf(update.mint) : null;
    const isWell = known.isWellFounded || isWellFounded(update, soldRaw, supplyRaw);
    if (isWell && !known.isWellFounded) awaited.setWellFounded(row, true);
    if (known.isUrgent) return;
    if (isWell || isUrgent(update, soldRaw, supplyRaw)) awaited.beginUrgent(row);
  }

  /** Returns the mints to evaluate now, in order, and marks them as evaluated. */
  take(slot: number, timeMs: number, { entriesOf }: CaseSizes): Address[] {
    const taken: Address[] = [];
    const { awaited } = this;
    const budget = this.budget.now;
    this.addBudget();
    const evaluate = (row: number) => {
      const mint = awaited.mintOf(row);
      const entries = entriesOf(mint);
      budget.entries -= VIEW_ENTRIES + entries;
      this.markEvaluated(row, { slot, timeMs, entries });
      taken.push(mint);
    };
    for (const row of awaited.readyAt(slot, entriesPerSlot)) {
      const leastEntries = awaited.isWellFounded(row) ? -ENTRIES_DEBT_MAX : 0;
      if (budget.entries > leastEntries) evaluate(row);
    }
    this.passRoutine(timeMs, evaluate);
    return taken;
  }

  /** Number of mints with recent updates. */
  get size(): number {
    return this.awaited.size;
  }

  private passRoutine(timeMs: number, evaluate: (row: number) => void): void {
    const { awaited } = this;
    const budget = this.budget.now;
    while (budget.entries > 0) {
      const row = awaited.routine.oldest;
      if (row === -1 || awaited.read(row).dueMs > timeMs) return;
      awaited.routine.remove(row);
      if (isDue(awaited.read(row), timeMs)) evaluate(row);
      const { updates, viewed } = awaited.read(row);
      if (updates > 0 || timeMs - viewed.timeMs < ROUTINE_MS) this.await(row, timeMs);
      else awaited.remove(row);
    }
  }

  private markEvaluated(row: number, now: Evaluation): void {
    const { awaited } = this;
    awaited.setViewed(row, now);
    if (!awaited.read(row).isUrgent) return;
    awaited.endUrgent(row);
    awaited.setWellFounded(row, false);
  }

  private addBudget(): void {
    const budget = this.budget.now;
    this.undo.keep(budget);
    const earned = Math.max(ENTRIES_OF_SLOT, Math.min(ENTRIES_OF_SLOT_MAX, budget.trades));
    budget.entries = Math.min(ENTRIES_RESERVE, budget.entries + earned);
    budget.trades = 0;
  }

  private rowOf(mint: Address, timeMs: number): number {
    const known = this.awaited.find(mint);
    if (known !== -1) return known;
    if (this.awaited.size >= AWAITED_MAX) this.dropOldest();
    const row = this.awaited.add(mint);
    this.await(row, timeMs);
    return row;
  }

  /** Appends a mint to the routine queue; every mint waits ROUTINE_MS. */
  private await(row: number, timeMs: number): void {
    this.awaited.setDue(row, timeMs + ROUTINE_MS);
    this.awaited.routine.push(row);
  }

  private dropOldest(): void {
    const { awaited } = this;
    const row = awaited.routine.oldest;
    awaited.routine.remove(row);
    if (awaited.read(row).isUrgent) awaited.endUrgent(row);
    awaited.remove(row);
  }
}

function entriesPerSlot(isWellFounded: boolean): number {
  return isWellFounded ? ENTRIES_PER_SLOT_WELL : ENTRIES_PER_SLOT;
}

function isDue({ updates, viewed }: AwaitedMint, timeMs: number): boolean {
  if (updates === 0) return false;
  return updates * ENTRIES_PER_UPDATE >= viewed.entries || timeMs - viewed.timeMs >= LATEST_MS;
}

function isUrgent(update: CaseUpdate, soldRaw: bigint, supplyRaw: RawAmount | null): boolean {
  return update.buyers >= BUYERS_MIN || isPartSold(soldRaw, supplyRaw, SOLD_PART);
}

function isWellFounded(update: CaseUpdate, soldRaw: bigint, supplyRaw: RawAmount | null): boolean {
  if (update.groupedBuyers >= GROUPED_BUYERS_MIN || update.isLiquidityOut) return true;
  return isPartSold(soldRaw, supplyRaw, MUCH_SOLD_PART);
}

function isPartSold(soldRaw: bigint, supplyRaw: RawAmount | null, part: bigint): boolean {
  return supplyRaw !== null && soldRaw > 0n && soldRaw * part >= supplyRaw;
}
