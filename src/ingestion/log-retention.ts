import type { RetainedState } from '../model/record-store.ts';
import { asSlot, type Slot } from '../model/units.ts';
import type { Cursor } from '../store/control/cursor.ts';
import { rowLayersOf } from '../store/control/fold-layers.ts';
import type { IngestionStore } from './ingestion-store.ts';

/**
 * Share of the retention by which the log may be longer. What is dropped is removed from a part of
 * the table that stays otherwise, which is rewritten: few large removals write less than many small.
 */
const EXCESS_SHARE = 1 / 8;
/** Nothing is dropped before a slot that arrives this late has a checkpoint before it. */
const LATE_MAX_MS = 60 * 60_000;
/** By which times of the chain may be ahead of the clock of the machine. */
const AHEAD_MAX_MS = 10 * 60_000;

/** The part of the store that the retention needs. */
export type RetainedLog = Pick<IngestionStore, 'log' | 'logStart' | 'removal'>;

/** The progress of the fold, as the retention needs it. */
export interface StoredProgress {
  readonly cursor: Cursor;
  /** The checkpoints of the state, newest first. */
  readonly retained: readonly RetainedState[];
}

/**
 * Drops old slots of the log while a chain is followed. The start of the log is moved first, durably,
 * so that a kill costs at most a repeated removal. What may be needed stays: every slot from the
 * oldest checkpoint on, and all of them while a refold is pending.
 *
 * Time is that of the chain, as of the newest checkpoint, but not later than that of the machine: one
 * block with a time in the future, which a node may say, would drop everything.
 */
export class LogRetention {
  private readonly store: RetainedLog;
  private readonly retentionMs: number | null;
  private readonly nowMs: () => number;
  /** Chain time before which nothing can be due. */
  private dueMs = Number.NEGATIVE_INFINITY;
  private isRemovalComplete = false;

  /** `retentionMs`: chain time that the log covers; null to drop nothing. */
  constructor(store: RetainedLog, retentionMs: number | null, nowMs = Date.now) {
    this.store = store;
    this.retentionMs = retentionMs;
    this.nowMs = nowMs;
  }

  /** Drops what is due. Call between slots; nothing may be applied or written meanwhile. */
  async step({ cursor, retained }: StoredProgress): Promise<void> {
    await this.completeRemoval();
    const { retentionMs } = this;
    const [newest, oldest] = [retained[0], retained.at(-1)];
    if (retentionMs === null || newest === undefined || oldest === undefined) return;
    const timeMs = Math.min(newest.timeMs, this.nowMs() + AHEAD_MAX_MS);
    if (timeMs < this.dueMs || !isSettled(cursor, newest.slot)) return;
    if (timeMs - oldest.timeMs < LATE_MAX_MS) return;
    await this.dropBefore(timeMs - retentionMs, oldest.slot);
    this.dueMs = Math.max(await this.nextDueMs(retentionMs), timeMs + 1);
  }

  /** Removes what an earlier process dropped but may not have removed. */
  private async completeRemoval(): Promise<void> {
    if (this.isRemovalComplete) return;
    this.isRemovalComplete = true;
    const { logStart, removal } = this.store;
    if (logStart.slot !== null) await removal.removeBefore(logStart.slot);
  }

  /** Drops the slots before a time, but none from `needed` on, if they are worth a removal. */
  private async dropBefore(timeMs: number, needed: Slot): Promise<void> {
    const { log, logStart, removal } = this.store;
    const first = await log.firstTimed(0);
    if (first === null || first.timeMs > timeMs - this.excessMs) return;
    const start = await this.firstSince(timeMs, first.slot, needed);
    if (start <= first.slot) return;
    await logStart.advance(start);
    await removal.removeBefore(start);
  }

  /** The first slot of a range whose time is not before `timeMs`; its end if all are. */
  private async firstSince(timeMs: number, from: number, end: Slot): Promise<Slot> {
    let [low, high] = [from, Number(end)];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const found = await this.store.log.firstTimed(middle);
      if (found === null || found.slot >= high || found.timeMs >= timeMs) high = middle;
      else low = found.slot + 1;
    }
    return asSlot(Math.min(low, end));
  }

  private async nextDueMs(retentionMs: number): Promise<number> {
    const first = await this.store.log.firstTimed(0);
    return first === null ? 0 : first.timeMs + logLengthMaxMs(retentionMs);
  }

  private get excessMs(): number {
    return excessOf(this.retentionMs ?? 0);
  }
}

/** The chain time that a log with a retention may cover at most, while slots arrive as usual. */
export function logLengthMaxMs(retentionMs: number): number {
  return retentionMs + excessOf(retentionMs);
}

function excessOf(retentionMs: number): number {
  return Math.ceil(retentionMs * EXCESS_SHARE);
}

/** Whether all rows up to a slot are stored in one layer and no part of the log must be folded again. */
function isSettled(cursor: Cursor, slot: Slot): boolean {
  if (cursor.isDirty || cursor.slot === null || cursor.slot < slot) return false;
  return rowLayersOf(cursor).base === null;
}
