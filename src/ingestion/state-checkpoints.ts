import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Engine } from '../engine/engine.ts';
import { PAGE_BYTES } from '../lib/pages/page-layout.ts';
import type { PagePool } from '../lib/pages/page-pool.ts';
import { isSystemError } from '../lib/transient-error.ts';
import { StoreError } from '../model/errors.ts';
import type { CheckpointHead, RecordStore, RetainedState } from '../model/record-store.ts';
import type { StateMemoryUse, StateStatus } from '../model/state-status.ts';
import type { Cursor } from '../store/control/cursor.ts';
import {
  CHECKPOINT_PACE,
  type CheckpointPace,
  isDue,
  type Progress,
  progressOf,
} from './checkpoint-pace.ts';
import type { Fold } from './fold.ts';
import type { ChainEnd } from './slot-marks.ts';
import { isStateFailure, orStateFailure } from './state-failure.ts';

/** The begin of a checkpoint is prepared in so many slots before it. */
const PREPARED_SLOTS = 16;

/** An engine and the records of its state. */
export interface StoredEngine {
  readonly engine: Engine;
  readonly pages: PagePool;
  readonly records: RecordStore;
}

/** Describes states to commit them. */
export interface StateHeads {
  headOf(end: ChainEnd, sums: Uint32Array, olderSlots: number): CheckpointHead;
}

/** The progress of a fold, as checkpoints need it. */
export interface FoldProgress {
  readonly fold: Pick<Fold, 'end' | 'finalSlot' | 'takeCheckpointDigest'>;
  readonly cursor: Pick<Cursor, 'slot' | 'isDirty'>;
  readonly olderSlots: number;
}

export interface StateCheckpointsOptions {
  /** A clock to measure durations. */
  readonly nowMs?: () => number;
  /** What is not set is as in production. */
  readonly pace?: Partial<CheckpointPace>;
}

/** A checkpoint that is being written. */
interface Begun {
  readonly end: ChainEnd;
  readonly sums: Uint32Array;
  readonly olderSlots: number;
  readonly sinceMs: number;
  readonly writtenPerSlot: number;
  isWritten: boolean;
}

/**
 * Stores the state of one fold at intervals, in portions after slots. A checkpoint is begun at the
 * newest slot and becomes valid once that slot is final and stored; it is given up when the slot is
 * undone. A failure costs the checkpoint only and is reported.
 */
export class StateCheckpoints {
  private readonly heads: StateHeads;
  private readonly stored: StoredEngine;
  private readonly report: (sentence: string) => void;
  private begun: Begun | null = null;
  private committing: Promise<void> | null = null;
  /** Progress at the last step, and the number of slots when the last checkpoint began. */
  private seen: Progress;
  private slotsAtLast: number;
  private isFailing = false;
  private isCompactionFailing = false;
  private readonly nowMs: () => number;
  private readonly pace: CheckpointPace;
  private durationMs: number | null = null;
  private failures = 0;
  private fileBytes = 0;
  private engineFailureNow: unknown = null;

  constructor(
    heads: StateHeads,
    stored: StoredEngine,
    report: (sentence: string) => void,
    { nowMs = () => performance.now(), pace = {} }: StateCheckpointsOptions = {},
  ) {
    this.heads = heads;
    this.stored = stored;
    this.report = report;
    this.nowMs = nowMs;
    this.pace = { ...CHECKPOINT_PACE, ...pace };
    this.seen = progressOf(stored.engine);
    this.slotsAtLast = this.seen.slots;
    this.fileBytes = this.measuredBytes();
  }

  get status(): StateStatus {
    const { durationMs, isWritten: isNextWritten, failures, fileBytes } = this;
    const { pages, records } = this.stored;
    const { retained } = records;
    const [first] = retained;
    const newest = first === undefined ? null : { slot: first.slot, timeMs: first.timeMs };
    return {
      memory: memoryUseOf(pages, records),
      checkpoints: {
        ...{ newest, count: retained.length, fileBytes },
        ...{ durationMs, isNextWritten, failures },
      },
    };
  }

  /**
   * Continues a checkpoint, or begins one when it is due. Call after each slot or undo; nothing may
   * be applied until it resolves. Other tasks run between portions of what is written. A failure
   * ends the checkpoint; see `engineFailure`.
   */
  async step(progress: FoldProgress): Promise<void> {
    const before = this.seen;
    this.seen = progressOf(this.stored.engine);
    if (this.committing === null) await this.orGivenUp(() => this.stepNow(progress, before));
    const { writeFailure } = this.stored.records;
    if (writeFailure !== null) this.say(writeFailure);
  }

  private async stepNow(progress: FoldProgress, before: Progress): Promise<void> {
    const { engine } = this.stored;
    if (this.begun === null) {
      this.compact();
      if (this.isDue(before)) this.begin(progress);
      else this.prepare();
      return;
    }
    if (engine.isCheckpointUndone) this.abort();
    else if (!this.begun.isWritten) await this.writeSome(this.begun);
    else if (isFinal(this.begun, progress)) this.committing = this.commit(this.begun);
  }

  /**
   * Moves what is in use out of old files. One that cannot be read takes space and costs no
   * checkpoint: it is no failed one, and the first of such files in a row is reported.
   */
  private compact(): void {
    const { records } = this.stored;
    records.compact(this.pace.compactedBytesPerSlot);
    const { compactionFailure } = records;
    if (compactionFailure !== null && !this.isCompactionFailing) {
      const reason = messageOf(compactionFailure);
      this.report(`An old file of the state cannot be emptied, and takes space: ${reason}`);
    }
    this.isCompactionFailing = compactionFailure !== null;
  }

  /** Whether a checkpoint was begun and is not complete. */
  get isWriting(): boolean {
    return this.begun !== null;
  }

  /** Whether only the commit is left of a checkpoint. */
  get isWritten(): boolean {
    return this.begun?.isWritten === true && this.committing === null;
  }

  /** The checkpoints that can be opened, newest first. */
  get retained(): readonly RetainedState[] {
    return this.stored.records.retained;
  }

  /** Why the engine can no longer be used: a checkpoint failed within it. Null if it can. */
  get engineFailure(): unknown {
    return this.engineFailureNow;
  }

  /**
   * Stores the state as it is now, which must be final and stored, unless slots before it wait to be
   * folded: it would not count. Nothing may be folded until it resolves.
   */
  async complete(progress: FoldProgress): Promise<void> {
    await this.settled();
    this.abort();
    const { engine } = this.stored;
    if (progress.cursor.isDirty || engine.counters.slots === this.slotsAtLast) return;
    await this.orGivenUp(async () => {
      this.begin(progress);
      while (this.begun !== null && !engine.writeSome(this.pace.writtenPerSlot)) await nextTurn();
    });
    const { begun } = this;
    if (begun === null) return;
    if (isFinal(begun, progress)) await this.commit(begun);
    else this.abort();
  }

  /** Gives up the checkpoint that is being written. The next is due as if it had not begun. */
  abort(): void {
    if (this.begun !== null) this.slotsAtLast = Number.NEGATIVE_INFINITY;
    this.begun = null;
    this.stored.engine.abortCheckpoint();
    this.stored.records.abort();
  }

  /** Resolves when no checkpoint is being committed. */
  async settled(): Promise<void> {
    await this.committing;
  }

  private async writeSome(begun: Begun): Promise<void> {
    const { engine } = this.stored;
    const { writtenAtOnce } = this.pace;
    for (let left = begun.writtenPerSlot; left > 0; left -= writtenAtOnce) {
      begun.isWritten = engine.writeSome(writtenAtOnce);
      if (begun.isWritten) return;
      await nextTurn();
    }
  }

  private isDue(before: Progress): boolean {
    return isDue(this.pace, { before, now: this.seen, slotsAtLast: this.slotsAtLast });
  }

  /** Does a part of the next begin ahead if it is near, so that no slot waits for all of it. */
  private prepare(): void {
    const { everySlots } = this.pace;
    const slotsLeft = everySlots - (this.seen.slot % everySlots);
    if (slotsLeft <= PREPARED_SLOTS) this.stored.engine.prepareCheckpoint(slotsLeft);
  }

  private begin({ fold, olderSlots }: FoldProgress): void {
    const { end } = fold;
    if (end === null) return;
    const { engine, pages, records } = this.stored;
    this.slotsAtLast = engine.counters.slots;
    const sinceMs = this.nowMs();
    orStateFailure(() => records.begin());
    const sums = engine.beginCheckpoint();
    // Costs nothing now that the sums are settled.
    fold.takeCheckpointDigest();
    const { writtenPerSlot: least, writingSlots } = this.pace;
    const writtenPerSlot = Math.max(least, Math.ceil(pages.checkpointSize / writingSlots));
    this.begun = { end, sums, olderSlots, sinceMs, writtenPerSlot, isWritten: false };
  }

  private async commit({ end, sums, olderSlots, sinceMs }: Begun): Promise<void> {
    const { records } = this.stored;
    try {
      const isNewest = await records.commit(this.heads.headOf(end, sums, olderSlots));
      if (isNewest) this.durationMs = this.nowMs() - sinceMs;
      this.fileBytes = this.measuredBytes();
      this.isFailing = false;
    } catch (error) {
      this.failed(error);
    } finally {
      this.begun = null;
      this.committing = null;
    }
  }

  /** The size of all files; where it cannot be read, as it was. */
  private measuredBytes(): number {
    try {
      return this.stored.records.sizes().fileBytes;
    } catch (error) {
      if (!isSystemError(error) && !(error instanceof StoreError)) throw error;
      return this.fileBytes;
    }
  }

  private async orGivenUp(work: () => void | Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.abort();
      if (isStateFailure(error)) this.engineFailureNow = error;
      this.failed(error);
    }
  }

  private failed(error: unknown): void {
    if (!(error instanceof StoreError) && !isStateFailure(error)) throw error;
    this.failures++;
    this.say(error);
  }

  /** Reports the first of failures in a row. */
  private say(error: unknown): void {
    if (!this.isFailing) this.report(`The state cannot be stored: ${messageOf(error)}`);
    this.isFailing = true;
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function isFinal({ end }: Begun, { fold, cursor }: FoldProgress): boolean {
  return (
    fold.finalSlot >= end.slot && cursor.slot !== null && cursor.slot >= end.slot && !cursor.isDirty
  );
}

function memoryUseOf({ use }: PagePool, { indexBytes }: RecordStore): StateMemoryUse {
  return {
    pageBytes: use.pages * PAGE_BYTES,
    pageBytesMax: use.pagesMax * PAGE_BYTES,
    objectBytes: use.objectBytes,
    objectBytesMax: use.objectBytesMax,
    evictedPages: use.evictedPages,
    loadedPages: use.loadedPages,
    indexBytes,
  };
}
