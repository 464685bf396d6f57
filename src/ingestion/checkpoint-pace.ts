import type { Engine } from '../engine/engine.ts';

/** How often the state is stored, and in which portions. Tests use a quicker pace. */
export interface CheckpointPace {
  /**
   * A checkpoint begins when slot numbers or the count of swaps pass a multiple of these: what a
   * start after a kill folds again. Services that follow the same chain thus have digests of the
   * same slots.
   */
  readonly everySlots: number;
  readonly everySwaps: number;
  /** Slots between two checkpoints, unless the count of swaps calls for one: numbers may be sparse. */
  readonly slotsBetweenMin: number;
  /**
   * Pages and objects that are written after a slot at least, in portions. More for a checkpoint that
   * would take longer than `writingSlots`.
   */
  readonly writtenPerSlot: number;
  /** Slots in which a checkpoint is written: a kill leaves these and `everySlots` to fold again. */
  readonly writingSlots: number;
  readonly writtenAtOnce: number;
  /** Bytes of old files that are read after a slot to move what is live in them. */
  readonly compactedBytesPerSlot: number;
}

export const CHECKPOINT_PACE: CheckpointPace = {
  everySlots: 120,
  everySwaps: 300_000,
  slotsBetweenMin: 60,
  writtenPerSlot: 2_500,
  writingSlots: 50,
  writtenAtOnce: 250,
  compactedBytesPerSlot: 2 * 1_024 * 1_024,
};

/** How far an engine is: its last slot, -1 before the first, and counts. */
export interface Progress {
  readonly slot: number;
  readonly slots: number;
  readonly swaps: number;
}

export function progressOf({ counters, lastSlot }: Engine): Progress {
  return { slot: lastSlot ?? -1, slots: counters.slots, swaps: counters.events.swap };
}

/** The last step of an engine. */
export interface Step {
  readonly before: Progress;
  readonly now: Progress;
  /** The number of slots when the last checkpoint began. */
  readonly slotsAtLast: number;
}

/** Whether a checkpoint begins after a step. */
export function isDue(
  { everySlots, everySwaps, slotsBetweenMin }: CheckpointPace,
  { before, now, slotsAtLast }: Step,
): boolean {
  const isApart = now.slots - slotsAtLast >= slotsBetweenMin;
  return (
    (isApart && passes(before.slot, now.slot, everySlots)) ||
    passes(before.swaps, now.swaps, everySwaps)
  );
}

/** Whether a number grew past a multiple of `every`. */
function passes(before: number, now: number, every: number): boolean {
  return Math.floor(now / every) > Math.floor(before / every);
}
