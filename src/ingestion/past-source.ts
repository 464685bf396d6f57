import type { StoredPoint } from '../model/slot-range.ts';
import { asSlot, type Slot } from '../model/units.ts';
import type { Cursor } from '../store/control/cursor.ts';
import type { FoldedSlot } from './fold.ts';
import type { LiveFold } from './live-fold.ts';

/** The slots whose states can be computed, both ends included; null before the first slot. */
export interface AnswerableSlots {
  readonly first: Slot | null;
  readonly newest: Slot | null;
}

/** What states of earlier slots are computed from, as of now. */
export interface PastSource {
  /** Number of the live fold. */
  readonly fold: number;
  /** Whether its engine is being replaced: which slot is the newest is not known. */
  readonly isRebuilding: boolean;
  /** The first applied slot; null before it, and if it was dropped from the log. */
  readonly firstApplied: Slot | null;
  /** Slots before it were dropped from the log, or are about to be; null: none. */
  readonly logStart: Slot | null;
  /** The newest applied slot; null before the first. */
  readonly newest: Slot | null;
  /** The end of the stored log while it is being applied after a start. */
  readonly storedAhead: Slot | null;
  /** Slots of stored states, newest first. */
  readonly checkpoints: readonly Slot[];
  /** From this slot on the log may differ from what the fold has applied; null if it does not. */
  readonly changedFrom: Slot | null;
  /** Slots that are not stored yet, oldest first. All others are in the log. */
  readonly unwritten: readonly Pick<FoldedSlot, 'facts'>[];
}

/** Slots after the first of the log up to which states are computed without a stored one. */
const FROM_START_SLOTS = 1_024;

export function pastSourceOf(
  { fold, cursor, state, store }: Pick<LiveFold, 'fold' | 'cursor' | 'state' | 'store'>,
  storedAhead: StoredPoint | null,
): PastSource {
  const { engine, epoch, hasFailed: isRebuilding, end, unwritten } = fold;
  const logStart = store.logStart.slot;
  return {
    fold: epoch,
    isRebuilding,
    unwritten,
    firstApplied: isRebuilding || logStart !== null ? null : engine.firstSlot,
    logStart,
    newest: end?.slot ?? null,
    storedAhead: storedAhead?.slot ?? null,
    checkpoints: state.retained.map(({ slot }) => slot),
    changedFrom: changedFrom(cursor, epoch),
  };
}

function changedFrom({ isDirty, dirtyFrom = null, epoch }: Cursor, fold: number): Slot | null {
  // A refold is complete, and its fold is about to take the place of this one.
  if (epoch !== fold) return asSlot(0);
  return isDirty ? (dirtyFrom ?? asSlot(0)) : null;
}

/**
 * The range of answerable slots: from the oldest stored state on, or from the first slot of a log
 * that is not much longer.
 */
export function answerableSlots({
  firstApplied,
  newest,
  checkpoints,
}: Pick<PastSource, 'firstApplied' | 'newest' | 'checkpoints'>): AnswerableSlots {
  const oldest = checkpoints.at(-1) ?? newest;
  const reachesStart = isNearStart(oldest, firstApplied);
  return { first: reachesStart ? firstApplied : oldest, newest };
}

/** Whether the state of a slot can be computed from the first slot of the log. */
export function isNearStart(slot: Slot | null, firstApplied: Slot | null): boolean {
  return slot !== null && firstApplied !== null && slot - firstApplied <= FROM_START_SLOTS;
}
