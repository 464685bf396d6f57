import { toBigintJson } from '../../lib/bigint-json.ts';
import type { UndoLog } from '../../lib/undo-log.ts';
import type { Address, RawAmount } from '../../model/units.ts';
import type { CaseUpdate } from '../cases/case-update.ts';

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
 * Maximum number of waiting mints; beyond it the longest waiting one is dropped until its next
 * trade.
 */
export const AWAITED_MAX = 10_000;

/** A mint with recent updates. */
export interface AwaitedMint {
  /** Slot and time of the last evaluation, and the entries of its case then; 0 before the first. */
  viewedSlot: number;
  viewedMs: number;
  viewedEntries: number;
  /** Time of the next routine evaluation. */
  dueMs: number;
  soldRaw: bigint;
  /** Slots with updates since the last evaluation. */
  updates: number;
  /** Rank among urgent mints; null when the mint is not urgent. */
  urgency: number | null;
  /** Whether one of the stronger reasons makes it urgent. */
  isWellFounded: boolean;
}

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
  private readonly awaited = new Map<Address, AwaitedMint>();
  /** Mints in the order in which they become due, each once. */
  private readonly routine: Address[] = [];
  private readonly urgent = new Map<Address, AwaitedMint>();
  private readonly progress = { routineFrom: 0, urgencies: 0, entries: ENTRIES_RESERVE, trades: 0 };

  constructor(undo: UndoLog) {
    this.undo = undo;
  }

  /** Notes the change that a slot made to the case of one mint. */
  note(update: CaseUpdate, timeMs: number, { supplyOf }: CaseSizes): void {
    if (update.trades === 0 && !update.isLiquidityOut) return;
    this.undo.keep(this.progress);
    this.progress.trades += update.trades;
    const mint = this.awaitedOf(update.mint, timeMs);
    this.undo.keep(mint);
    mint.updates++;
    mint.soldRaw += update.soldRaw;
    const supplyRaw = supplyOf(update.mint);
    mint.isWellFounded ||= isWellFounded(update, mint.soldRaw, supplyRaw);
    if (mint.urgency !== null) return;
    if (!mint.isWellFounded && !isUrgent(update, mint.soldRaw, supplyRaw)) return;
    mint.urgency = this.progress.urgencies++;
    this.undo.map(this.urgent, update.mint);
    this.urgent.set(update.mint, mint);
  }

  /** Returns the mints to evaluate now, in order, and marks them as evaluated. */
  take(slot: number, timeMs: number, { entriesOf }: CaseSizes): Address[] {
    const taken: Address[] = [];
    const { progress } = this;
    this.addBudget();
    const evaluate = (address: Address, mint: AwaitedMint) => {
      this.markEvaluated(address, mint, { slot, timeMs, entries: entriesOf(address) });
      taken.push(address);
    };
    for (const [address, mint] of this.readyInOrder(slot)) {
      const leastEntries = mint.isWellFounded ? -ENTRIES_DEBT_MAX : 0;
      if (progress.entries > leastEntries) evaluate(address, mint);
    }
    this.passRoutine(timeMs, evaluate);
    return taken;
  }

  /** Number of mints with recent updates. */
  get size(): number {
    return this.awaited.size;
  }

  *digestRows(): Iterable<string> {
    const { urgencies, entries } = this.progress;
    yield `evaluations ${urgencies} ${entries}`;
    for (const address of this.routine.slice(this.progress.routineFrom)) {
      yield `evaluation ${address} ${toBigintJson(this.awaited.get(address))}`;
    }
  }

  private passRoutine(
    timeMs: number,
    evaluate: (address: Address, mint: AwaitedMint) => void,
  ): void {
    const { progress } = this;
    while (progress.entries > 0) {
      const address = this.routine[progress.routineFrom];
      const mint = address === undefined ? undefined : this.awaited.get(address);
      if (address === undefined || mint === undefined || mint.dueMs > timeMs) return;
      this.takeRoutine();
      if (isDue(mint, timeMs)) evaluate(address, mint);
      if (mint.updates > 0 || timeMs - mint.viewedMs < ROUTINE_MS)
        this.await(address, mint, timeMs);
      else this.forget(address);
    }
  }

  private markEvaluated(
    address: Address,
    mint: AwaitedMint,
    now: { readonly slot: number; readonly timeMs: number; readonly entries: number },
  ): void {
    this.progress.entries -= VIEW_ENTRIES + now.entries;
    this.undo.keep(mint);
    mint.viewedSlot = now.slot;
    mint.viewedMs = now.timeMs;
    mint.viewedEntries = now.entries;
    mint.soldRaw = 0n;
    mint.updates = 0;
    if (mint.urgency === null) return;
    mint.urgency = null;
    mint.isWellFounded = false;
    this.undo.map(this.urgent, address);
    this.urgent.delete(address);
  }

  private addBudget(): void {
    const { progress } = this;
    this.undo.keep(progress);
    const earned = Math.max(ENTRIES_OF_SLOT, Math.min(ENTRIES_OF_SLOT_MAX, progress.trades));
    const entries = progress.entries + earned;
    progress.entries = Math.min(ENTRIES_RESERVE, entries);
    progress.trades = 0;
  }

  private awaitedOf(address: Address, timeMs: number): AwaitedMint {
    const known = this.awaited.get(address);
    if (known !== undefined) return known;
    if (this.awaited.size >= AWAITED_MAX) this.dropOldest();
    const added: AwaitedMint = {
      viewedSlot: 0,
      viewedMs: 0,
      viewedEntries: 0,
      dueMs: 0,
      soldRaw: 0n,
      updates: 0,
      urgency: null,
      isWellFounded: false,
    };
    this.undo.map(this.awaited, address);
    this.awaited.set(address, added);
    this.await(address, added, timeMs);
    return added;
  }

  /** Appends a mint to the routine queue; every mint waits ROUTINE_MS. */
  private await(address: Address, mint: AwaitedMint, timeMs: number): void {
    this.undo.keep(mint);
    mint.dueMs = timeMs + ROUTINE_MS;
    this.undo.push(this.routine);
    this.routine.push(address);
  }

  private forget(address: Address): void {
    this.undo.map(this.awaited, address);
    this.awaited.delete(address);
  }

  private dropOldest(): void {
    const address = this.routine[this.progress.routineFrom];
    if (address === undefined) return;
    this.takeRoutine();
    this.forget(address);
    this.undo.map(this.urgent, address);
    this.urgent.delete(address);
  }

  private readyInOrder(slot: number): [Address, AwaitedMint][] {
    const ready = [...this.urgent].filter(
      ([, { viewedSlot, viewedEntries, isWellFounded: isWell }]) =>
        slot - viewedSlot >=
        Math.floor(viewedEntries / (isWell ? ENTRIES_PER_SLOT_WELL : ENTRIES_PER_SLOT)),
    );
    return ready.sort(([, one], [, other]) => (one.urgency ?? 0) - (other.urgency ?? 0));
  }

  private takeRoutine(): void {
    const { progress, routine } = this;
    this.undo.keep(progress);
    progress.routineFrom++;
    if (progress.routineFrom < COMPACT_AT) return;
    this.undo.head(routine, progress.routineFrom);
    routine.splice(0, progress.routineFrom);
    progress.routineFrom = 0;
  }
}

const COMPACT_AT = 4_096;

function isDue({ updates, viewedEntries, viewedMs }: AwaitedMint, timeMs: number): boolean {
  if (updates === 0) return false;
  return updates * ENTRIES_PER_UPDATE >= viewedEntries || timeMs - viewedMs >= LATEST_MS;
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
