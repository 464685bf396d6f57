import type { Engine } from '../engine/engine.ts';
import { StoreError } from '../model/errors.ts';
import type { CheckpointHead, RecordStore } from '../model/record-store.ts';
import type { Cursor } from '../store/control/cursor.ts';
import type { Fold } from './fold.ts';
import type { ChainEnd } from './slot-marks.ts';
import { isStateFailure } from './state-failure.ts';

/** A checkpoint begins after so many slots or swaps: what a start after a kill folds again. */
const EVERY_SLOTS = 300;
const EVERY_SWAPS = 300_000;
/** Pages and objects that are written after a slot: two or three milliseconds. */
const WRITTEN_PER_SLOT = 1_000;
/** Bytes of old files that are read after a slot to move what is live in them. */
const COMPACTED_BYTES_PER_SLOT = 256 * 1_024;

/** An engine and the records of its state. */
export interface StoredEngine {
  readonly engine: Engine;
  readonly records: RecordStore;
}

/** Describes states to commit them. */
export interface StateHeads {
  headOf(end: ChainEnd, sums: Uint32Array, olderSlots: number): CheckpointHead;
}

/** The progress of a fold, as checkpoints need it. */
export interface FoldProgress {
  readonly fold: Pick<Fold, 'end' | 'finalSlot'>;
  readonly cursor: Pick<Cursor, 'slot' | 'isDirty'>;
  readonly olderSlots: number;
}

/** A checkpoint that is being written. */
interface Begun {
  readonly end: ChainEnd;
  readonly sums: Uint32Array;
  readonly olderSlots: number;
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
  private atLast: { slots: number; swaps: number };
  private isFailing = false;
  private engineFailureNow: unknown = null;

  constructor(heads: StateHeads, stored: StoredEngine, report: (sentence: string) => void) {
    this.heads = heads;
    this.stored = stored;
    this.report = report;
    this.atLast = sizeOf(stored.engine);
  }

  /**
   * Continues a checkpoint, or begins one when it is due. Call after each slot or undo. A failure
   * ends the checkpoint; see `engineFailure`.
   */
  step(progress: FoldProgress): void {
    if (this.committing !== null) return;
    this.orGivenUp(() => this.stepNow(progress));
  }

  private stepNow(progress: FoldProgress): void {
    const { engine, records } = this.stored;
    if (this.begun === null) {
      records.compact(COMPACTED_BYTES_PER_SLOT);
      if (this.isDue()) this.begin(progress);
      return;
    }
    if (engine.isCheckpointUndone) this.abort();
    else if (!this.begun.isWritten) this.begun.isWritten = engine.writeSome(WRITTEN_PER_SLOT);
    else if (isFinal(this.begun, progress)) this.committing = this.commit(this.begun);
  }

  /** Why the engine can no longer be used: a checkpoint failed within it. Null if it can. */
  get engineFailure(): unknown {
    return this.engineFailureNow;
  }

  /** Bytes of the state that wait in memory for a device that fails. */
  get unwrittenBytes(): number {
    return this.stored.records.unwrittenBytes;
  }

  /** Writes these bytes. Throws StoreError while that fails. */
  writeWaiting(): void {
    this.stored.records.settle();
  }

  /**
   * Stores the state as it is now, which must be final and stored. Nothing may be folded until it
   * resolves.
   */
  async complete(progress: FoldProgress): Promise<void> {
    await this.settled();
    this.abort();
    const { engine } = this.stored;
    if (engine.counters.slots === this.atLast.slots) return;
    this.orGivenUp(() => {
      this.begin(progress);
      while (this.begun !== null && !engine.writeSome(WRITTEN_PER_SLOT));
    });
    const { begun } = this;
    if (begun === null) return;
    if (isFinal(begun, progress)) await this.commit(begun);
    else this.abort();
  }

  /** Gives up the checkpoint that is being written. */
  abort(): void {
    this.begun = null;
    this.stored.engine.abortCheckpoint();
    this.stored.records.abort();
  }

  /** Resolves when no checkpoint is being committed. */
  async settled(): Promise<void> {
    await this.committing;
  }

  private isDue(): boolean {
    const { slots, swaps } = sizeOf(this.stored.engine);
    return slots - this.atLast.slots >= EVERY_SLOTS || swaps - this.atLast.swaps >= EVERY_SWAPS;
  }

  private begin({ fold, olderSlots }: FoldProgress): void {
    const { end } = fold;
    if (end === null) return;
    const { engine, records } = this.stored;
    this.atLast = sizeOf(engine);
    records.begin();
    const sums = engine.beginCheckpoint();
    this.begun = { end, sums, olderSlots, isWritten: false };
  }

  private async commit({ end, sums, olderSlots }: Begun): Promise<void> {
    try {
      await this.stored.records.commit(this.heads.headOf(end, sums, olderSlots));
      this.isFailing = false;
    } catch (error) {
      this.failed(error);
    } finally {
      this.begun = null;
      this.committing = null;
    }
  }

  private orGivenUp(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.abort();
      if (isStateFailure(error)) this.engineFailureNow = error;
      this.failed(error);
    }
  }

  /** Reports the first of failures in a row. */
  private failed(error: unknown): void {
    if (!(error instanceof StoreError) && !isStateFailure(error)) throw error;
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

function sizeOf({ counters }: StoredEngine['engine']): { slots: number; swaps: number } {
  return { slots: counters.slots, swaps: counters.events.swap };
}
