import { toBigintJson } from '../../lib/bigint-json.ts';
import type { UndoLog } from '../../lib/undo-log.ts';
import type { Address, RawAmount } from '../../model/units.ts';
import type { CaseUpdate } from '../cases/case-update.ts';

/** Detectors look again at a mint that goes on trading after so long, */
const ROUTINE_MS = 30_000;
/** if it was traded in one slot for so many entries of its case; at the latest after this time. */
const ENTRIES_PER_UPDATE = 50;
const LATEST_MS = 600_000;
/** What is worth a look at once: so many buyers within one slot, */
const BUYERS_MIN = 3;
/** or this part of the supply sold since the last look. */
const SOLD_PART = 100n;
/** A better reason: so many placed together, this part of the supply sold, liquidity taken out. */
const GROUPED_BUYERS_MIN = 3;
const MUCH_SOLD_PART = 20n;
/** A case of so many entries is looked at in every slot for a reason, a longer one less often. */
const ENTRIES_PER_SLOT = 8;
const ENTRIES_PER_SLOT_WELL = 64;
/**
 * Entries of cases that may be looked at: each slot brings some, a busy one as many as it has trades,
 * so that looking costs a fold no more than so many times its trades. What is left is kept up to a
 * reserve. The last case looked at may go beyond, and who has one of the better reasons does not wait
 * for others to have been paid for: later slots make up for both.
 */
const ENTRIES_OF_SLOT = 250;
const ENTRIES_OF_SLOT_MAX = 1_000;
const ENTRIES_RESERVE = 8_000;
const ENTRIES_DEBT_MAX = 10_000;
/** What looking at a mint costs whatever there is to see, in entries. */
const VIEW_ENTRIES = 60;

/** Mints that wait at a time; of more, the one that waited longest is given up until its next trade. */
export const AWAITED_MAX = 10_000;

/** A mint of which there is news, or was a short while ago. */
export interface AwaitedMint {
  /** When it was last looked at, and how many entries its case had; 0 before. */
  lookedSlot: number;
  lookedMs: number;
  viewedEntries: number;
  /** When it is looked at whatever happens. */
  dueMs: number;
  soldRaw: bigint;
  /** Slots with something new since then. */
  updates: number;
  /** Its place among those that are to be looked at as soon as may be; null when it is not. */
  urgency: number | null;
  /** What makes it urgent is one of the better reasons. */
  isWellFounded: boolean;
}

/** What the schedule needs to know of mints. */
export interface CaseSizes {
  /** Entries that a case of the mint would have. */
  readonly entriesOf: (mint: Address) => number;
  /** Null where it is not known. */
  readonly supplyOf: (mint: Address) => RawAmount | null;
}

/**
 * Which mints detectors look at, and when (METHODS §7.2, never for every trade): at once when trades
 * were placed together, several bought in one slot, much was sold or liquidity left, else once in a
 * while as long as it trades. What there is to look at in a slot is bounded: the rest waits its turn.
 * Decided by slots and their times alone.
 */
export class EvaluationSchedule {
  private readonly undo: UndoLog;
  private readonly awaited = new Map<Address, AwaitedMint>();
  /** Mints in the order in which they fall due, each once. */
  private readonly routine: Address[] = [];
  private readonly urgent = new Map<Address, AwaitedMint>();
  private readonly progress = { routineFrom: 0, urgencies: 0, entries: ENTRIES_RESERVE, trades: 0 };

  constructor(undo: UndoLog) {
    this.undo = undo;
  }

  /** Takes what a slot changed. */
  note(updates: CaseUpdate, timeMs: number, { supplyOf }: CaseSizes): void {
    if (updates.trades === 0 && !updates.isLiquidityOut) return;
    this.undo.keep(this.progress);
    this.progress.trades += updates.trades;
    const mint = this.awaitedOf(updates.mint, timeMs);
    this.undo.keep(mint);
    mint.updates++;
    mint.soldRaw += updates.soldRaw;
    const supplyRaw = supplyOf(updates.mint);
    mint.isWellFounded ||= isWellFounded(updates, mint.soldRaw, supplyRaw);
    if (mint.urgency !== null) return;
    if (!mint.isWellFounded && !isUrgent(updates, mint.soldRaw, supplyRaw)) return;
    mint.urgency = this.progress.urgencies++;
    this.undo.map(this.urgent, updates.mint);
    this.urgent.set(updates.mint, mint);
  }

  /** The mints to be looked at now, in order. They count as looked at. */
  take(slot: number, timeMs: number, { entriesOf }: CaseSizes): Address[] {
    const taken: Address[] = [];
    const { progress } = this;
    this.earn();
    const look = (address: Address, mint: AwaitedMint) => {
      this.look(address, mint, { slot, timeMs, entries: entriesOf(address) });
      taken.push(address);
    };
    for (const [address, mint] of this.readyInOrder(slot)) {
      const leastEntries = mint.isWellFounded ? -ENTRIES_DEBT_MAX : 0;
      if (progress.entries > leastEntries) look(address, mint);
    }
    this.passRoutine(timeMs, look);
    return taken;
  }

  /** Mints of which there is news, or was a short while ago. */
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

  private passRoutine(timeMs: number, look: (address: Address, mint: AwaitedMint) => void): void {
    const { progress } = this;
    while (progress.entries > 0) {
      const address = this.routine[progress.routineFrom];
      const mint = address === undefined ? undefined : this.awaited.get(address);
      if (address === undefined || mint === undefined || mint.dueMs > timeMs) return;
      this.takeRoutine();
      if (isDue(mint, timeMs)) look(address, mint);
      if (mint.updates > 0 || timeMs - mint.lookedMs < ROUTINE_MS)
        this.await(address, mint, timeMs);
      else this.forget(address);
    }
  }

  private look(
    address: Address,
    mint: AwaitedMint,
    now: { readonly slot: number; readonly timeMs: number; readonly entries: number },
  ): void {
    this.progress.entries -= VIEW_ENTRIES + now.entries;
    this.undo.keep(mint);
    mint.lookedSlot = now.slot;
    mint.lookedMs = now.timeMs;
    mint.viewedEntries = now.entries;
    mint.soldRaw = 0n;
    mint.updates = 0;
    if (mint.urgency === null) return;
    mint.urgency = null;
    mint.isWellFounded = false;
    this.undo.map(this.urgent, address);
    this.urgent.delete(address);
  }

  private earn(): void {
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
    if (this.awaited.size >= AWAITED_MAX) this.giveUpOldest();
    const added: AwaitedMint = {
      lookedSlot: 0,
      lookedMs: 0,
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

  /** Puts a mint at the end: all wait equally long. */
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

  private giveUpOldest(): void {
    const address = this.routine[this.progress.routineFrom];
    if (address === undefined) return;
    this.takeRoutine();
    this.forget(address);
    this.undo.map(this.urgent, address);
    this.urgent.delete(address);
  }

  private readyInOrder(slot: number): [Address, AwaitedMint][] {
    const ready = [...this.urgent].filter(
      ([, { lookedSlot, viewedEntries, isWellFounded: isWell }]) =>
        slot - lookedSlot >=
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

function isDue({ updates, viewedEntries, lookedMs }: AwaitedMint, timeMs: number): boolean {
  if (updates === 0) return false;
  return updates * ENTRIES_PER_UPDATE >= viewedEntries || timeMs - lookedMs >= LATEST_MS;
}

function isUrgent(updates: CaseUpdate, soldRaw: bigint, supplyRaw: RawAmount | null): boolean {
  return updates.buyers >= BUYERS_MIN || isPartSold(soldRaw, supplyRaw, SOLD_PART);
}

function isWellFounded(updates: CaseUpdate, soldRaw: bigint, supplyRaw: RawAmount | null): boolean {
  if (updates.groupedBuyers >= GROUPED_BUYERS_MIN || updates.isLiquidityOut) return true;
  return isPartSold(soldRaw, supplyRaw, MUCH_SOLD_PART);
}

function isPartSold(soldRaw: bigint, supplyRaw: RawAmount | null, part: bigint): boolean {
  return supplyRaw !== null && soldRaw > 0n && soldRaw * part >= supplyRaw;
}
