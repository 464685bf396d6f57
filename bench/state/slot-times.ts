import type { ThreadTime } from './thread-time.ts';

/** What a slot took. */
export interface SlotTime {
  /** A checkpoint was being written when the slot was applied. */
  readonly isWriting: boolean;
  readonly apply: ThreadTime;
  /** Checkpoints and compaction after it. */
  readonly checkpoint: ThreadTime;
}

/** How long slots took. NaN without any. */
export interface TimesOfSlots {
  readonly slots: number;
  /** Applying one. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly longestMs: number;
  readonly meanProcessorMs: number;
  readonly p99ProcessorMs: number;
  /** What comes after it, before the next can be applied. */
  readonly checkpointP99Ms: number;
  readonly checkpointLongestMs: number;
  readonly checkpointLongestProcessorMs: number;
}

/** What checkpoints cost. */
export interface CheckpointCost {
  readonly writing: TimesOfSlots;
  readonly idle: TimesOfSlots;
  /** Processor time of checkpoints over that of applying slots. */
  readonly shareOfFold: number;
  /** The same over the time in which the slots pass when they follow at the given pace. */
  readonly shareOfCore: number;
  /** With the processor time by which slots are slower while a checkpoint is written. */
  readonly shareOfCoreWithSlowerSlots: number;
  /**
   * Slots that would wait for the one before at that pace, and the longest wait, if the thread always
   * had a processor: calculated from its processor time.
   */
  readonly waiting: Waiting;
  /** The same if checkpoints took no time. */
  readonly waitingWithout: Waiting;
}

export interface Waiting {
  readonly slots: number;
  readonly longestMs: number;
}

/** Times of a run's slots. */
export class SlotTimes {
  private readonly times: SlotTime[] = [];

  add(time: SlotTime): void {
    this.times.push(time);
  }

  /** Null before the first slot. `everyMs`: time between two slots of the chain that is followed. */
  costAt(everyMs: number): CheckpointCost | null {
    const { times } = this;
    if (times.length === 0) return null;
    const writing = timesOf(times.filter(({ isWriting }) => isWriting));
    const idle = timesOf(times.filter(({ isWriting }) => !isWriting));
    const checkpointMs = sum(times.map(({ checkpoint }) => checkpoint.processorMs));
    const foldMs = sum(times.map(({ apply }) => apply.processorMs));
    const slower = writing.slots * (writing.meanProcessorMs - idle.meanProcessorMs);
    const spanMs = times.length * everyMs;
    return {
      writing,
      idle,
      shareOfFold: checkpointMs / foldMs,
      shareOfCore: checkpointMs / spanMs,
      shareOfCoreWithSlowerSlots: (checkpointMs + slower) / spanMs,
      waiting: waitingOf(
        times.map(({ apply, checkpoint }) => apply.processorMs + checkpoint.processorMs),
        everyMs,
      ),
      waitingWithout: waitingOf(
        times.map(({ apply }) => apply.processorMs),
        everyMs,
      ),
    };
  }
}

function timesOf(times: readonly SlotTime[]): TimesOfSlots {
  const applied = sorted(times.map(({ apply }) => apply.ms));
  const checkpoints = sorted(times.map(({ checkpoint }) => checkpoint.ms));
  const appliedProcessor = sorted(times.map(({ apply }) => apply.processorMs));
  const checkpointsProcessor = sorted(times.map(({ checkpoint }) => checkpoint.processorMs));
  return {
    slots: times.length,
    p50Ms: quantileOf(applied, 0.5),
    p99Ms: quantileOf(applied, 0.99),
    longestMs: applied.at(-1) ?? Number.NaN,
    meanProcessorMs: sum(times.map(({ apply }) => apply.processorMs)) / times.length,
    p99ProcessorMs: quantileOf(appliedProcessor, 0.99),
    checkpointP99Ms: quantileOf(checkpoints, 0.99),
    checkpointLongestMs: checkpoints.at(-1) ?? Number.NaN,
    checkpointLongestProcessorMs: checkpointsProcessor.at(-1) ?? Number.NaN,
  };
}

/** Slots come every `everyMs` and are busy for so long, one after the other. */
export function waitingOf(busyMs: readonly number[], everyMs: number): Waiting {
  let slots = 0;
  let longestMs = 0;
  let freeMs = 0;
  for (const [index, ms] of busyMs.entries()) {
    const cameMs = index * everyMs;
    const waitedMs = Math.max(0, freeMs - cameMs);
    if (waitedMs > 0) slots++;
    longestMs = Math.max(longestMs, waitedMs);
    freeMs = cameMs + waitedMs + ms;
  }
  return { slots, longestMs };
}

/** The smallest of the ascending values that so great a part of them does not exceed. */
function quantileOf(ascending: readonly number[], part: number): number {
  return ascending[Math.ceil(ascending.length * part) - 1] ?? Number.NaN;
}

function sorted(values: readonly number[]): number[] {
  return values.toSorted((one, other) => one - other);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
