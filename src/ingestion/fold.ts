import type { Engine } from '../engine/engine.ts';
import { digestOfParts } from '../engine/state/state-digest.ts';
import type { ApplyOptions } from '../engine/undo-slots.ts';
import type { SlotChanges } from '../model/derived.ts';
import { ChainError, StoreError } from '../model/errors.ts';
import type { SlotFacts } from '../model/slot-facts.ts';
import type { SlotMark } from '../model/slot-range.ts';
import type { StateDigest } from '../model/state-digest.ts';
import type { Slot } from '../model/units.ts';
import type { FoldListener } from './fold-listener.ts';
import { RecentDigests } from './recent-digests.ts';
import { type ChainEnd, marksOfNewest } from './slot-marks.ts';
import { isStateFailure, StateFailure } from './state-failure.ts';

/** Maximum number of slots that are not final; a chain that exceeds it is not followed. */
export const TAIL_SLOTS_MAX = 512;

/** A batch is written when it has this many slots or transactions. */
const BATCH_SLOTS_MAX = 500;
const BATCH_TRANSACTIONS_MAX = 10_000;

/** A folded slot that is not stored yet. */
export interface FoldedSlot {
  readonly facts: SlotFacts;
  readonly changes: SlotChanges;
  readonly marks: readonly SlotMark[];
  /** The log already contains the slot; only its derived rows are missing. */
  readonly isLogged: boolean;
}

/** Content of one write to the store. */
export interface FoldBatch {
  readonly slots: readonly SlotFacts[];
  readonly changes: readonly SlotChanges[];
  readonly marks: readonly SlotMark[];
}

/**
 * Returns another engine with the state of a fold, whose own failed to read or write its state.
 * Rejects if there is none.
 */
export type RebuildEngine = (fold: Fold, failure: unknown) => Promise<Engine>;

/**
 * One fold of the log: its engine and the slots that are not stored yet, oldest first: those being
 * written, final ones waiting to be written, and the tail, which can be reverted.
 *
 * A step whose engine cannot read or write its state is repeated with an engine that was built anew
 * from the slots before it. Without `rebuildEngine` it throws StateFailure.
 */
export class Fold {
  /** Number under which the store keeps the rows of this fold. */
  readonly epoch: number;
  /** Digests that were asked for, and those of checkpoints. */
  readonly digests = new RecentDigests();
  /** Set for the current fold only. */
  listener: FoldListener | null = null;
  /** Set for the current fold only. */
  rebuildEngine: RebuildEngine | null = null;
  /** Called while a slot is applied, unless there is a listener: another fold may be read. */
  onPause: (() => void) | undefined;
  private engineNow: Engine;
  private readonly nowMs: () => number;
  private writing: FoldedSlot[] = [];
  private ready: FoldedSlot[] = [];
  private readonly tail: FoldedSlot[] = [];
  private readyTransactions = 0;
  private lastFinal: ChainEnd | null;
  private takenThroughSlot: Slot | null = null;
  private saidFinal = -1;
  private isReplacing = false;
  /** Why the engine must be replaced before the next step. */
  private failure: unknown = null;

  /** `end` is the last slot the engine has already folded. */
  constructor(engine: Engine, epoch: number, nowMs: () => number, end: ChainEnd | null = null) {
    this.engineNow = engine;
    this.epoch = epoch;
    this.nowMs = nowMs;
    this.lastFinal = end;
  }

  /** Replaced when its state cannot be read or written. */
  get engine(): Engine {
    return this.engineNow;
  }

  /** Whether the engine has failed and its values are those of no slot. */
  get hasFailed(): boolean {
    return this.isReplacing;
  }

  /** The newest folded slot; null before the first. */
  get end(): ChainEnd | null {
    const newest = this.tail.at(-1);
    return newest === undefined ? this.lastFinal : endOf(newest);
  }

  /** The newest folded slot that is final. */
  get finalEnd(): ChainEnd | null {
    return this.lastFinal;
  }

  /**
   * Slots up to this one cannot be reverted; the slot itself may have no block. -1 before the
   * first.
   */
  get finalSlot(): number {
    return Math.max(this.saidFinal, this.lastFinal?.slot ?? -1);
  }

  get tailSlots(): readonly FoldedSlot[] {
    return this.tail;
  }

  /** Slots that are not stored yet, oldest first. */
  get unwritten(): readonly FoldedSlot[] {
    return [...this.writing, ...this.ready, ...this.tail];
  }

  /** Rows of slots up to this one may be stored; null if no batch has been taken. */
  get takenThrough(): Slot | null {
    return this.takenThroughSlot;
  }

  get isFull(): boolean {
    return this.ready.length >= BATCH_SLOTS_MAX || this.readyTransactions >= BATCH_TRANSACTIONS_MAX;
  }

  /**
   * The digest of the state after the newest slot; null before the first. Costs what changed since
   * the last digest or checkpoint. Throws StoreError if the state cannot be read, and while it is
   * being computed again.
   */
  digest(): StateDigest | null {
    const digest = this.digestOfEnd();
    if (digest !== null) this.digests.add(digest);
    return digest;
  }

  /**
   * Takes the digest of the newest slot, if there is one, as that of a checkpoint. Costs and throws
   * as `digest` does.
   */
  takeCheckpointDigest(): void {
    const digest = this.digestOfEnd();
    if (digest !== null) this.digests.addOfCheckpoint(digest);
  }

  /** Folds a slot that is completely stored, and returns its marks. */
  addWritten(facts: SlotFacts): Promise<readonly SlotMark[]> {
    return this.step(() => {
      const folded = this.fold(facts, true, true);
      this.lastFinal = endOf(folded);
      return folded.marks;
    });
  }

  /** Folds a final slot. `isLogged`: the log already contains it. */
  addFinal(facts: SlotFacts, isLogged: boolean): Promise<void> {
    return this.step(() => this.wait(this.fold(facts, true, isLogged)));
  }

  /** Folds a revertible slot. Rejects with ChainError when there are too many of them. */
  async addTail(facts: SlotFacts): Promise<FoldedSlot> {
    const [oldest] = this.tail;
    if (oldest !== undefined && this.tail.length >= TAIL_SLOTS_MAX) {
      throw new ChainError(
        `${TAIL_SLOTS_MAX} slots from ${oldest.facts.slot} on are not final, which is the ` +
          'maximum: the source has not finalised any of them.',
      );
    }
    return this.step(() => {
      const folded = this.fold(facts, false, false);
      this.tail.push(folded);
      return folded;
    });
  }

  /** Reverts the newest slot of the tail and returns it; null if the tail is empty. */
  async revert(): Promise<FoldedSlot | null> {
    return this.step(() => {
      const newest = this.tail.at(-1);
      if (newest === undefined) return null;
      this.engine.undo();
      this.tail.pop();
      this.digests.revert(newest.facts.slot);
      this.notify((listener) => listener.onReverted(newest.changes));
      return newest;
    });
  }

  /**
   * Replaces the engine after a failure to read or write its state. Rejects with any other error as
   * it is.
   */
  async replaceEngine(failure: unknown): Promise<void> {
    if (!isStateFailure(failure)) throw failure;
    if (this.rebuildEngine === null) {
      throw failure instanceof StateFailure ? failure : new StateFailure(failure);
    }
    this.isReplacing = true;
    this.engineNow = await this.rebuildEngine(this, failure);
    this.isReplacing = false;
    this.failure = null;
    await this.notifyReplaced();
  }

  /** Notifies the listener that the engine is another one. */
  async notifyReplaced(): Promise<void> {
    this.notify((listener) => listener.onReplaced());
    if (this.failure !== null) await this.replaceEngine(this.failure);
  }

  /** Marks all slots up to `slot` as final and queues them for writing. */
  finalise(slot: Slot): void {
    this.saidFinal = Math.max(this.saidFinal, slot);
    const newer = this.tail.findIndex(({ facts }) => facts.slot > slot);
    const final = this.tail.splice(0, newer < 0 ? this.tail.length : newer);
    if (final.length === 0) return;
    this.engine.forget(slot);
    for (const folded of final) this.wait(folded);
  }

  /** Takes the batch to write. Its slots count as unwritten until `written` is called. */
  take(): FoldBatch {
    this.takenThroughSlot = this.lastFinal?.slot ?? this.takenThroughSlot;
    this.writing = this.ready;
    this.ready = [];
    this.readyTransactions = 0;
    return {
      slots: this.writing.filter(({ isLogged }) => !isLogged).map(({ facts }) => facts),
      changes: this.writing.map(({ changes }) => changes),
      marks: this.writing.flatMap(({ marks }) => marks),
    };
  }

  /** The batch taken last has been stored. */
  written(): void {
    this.writing = [];
  }

  private wait(folded: FoldedSlot): void {
    this.ready.push(folded);
    this.readyTransactions += folded.facts.transactions.length;
    this.lastFinal = endOf(folded);
    this.listener?.onFinalised?.(folded.facts, folded.changes.timeMs);
  }

  private digestOfEnd(): StateDigest | null {
    const { end } = this;
    if (end === null) return null;
    const { newest } = this.digests;
    if (newest?.slot === end.slot) return newest;
    const parts = this.partsOfState();
    const { slot, blockhash } = end;
    return { slot, blockhash, digest: digestOfParts(parts), parts };
  }

  private partsOfState(): StateDigest['parts'] {
    if (this.isReplacing) {
      throw new StoreError('The current state is being computed again.', { isTransient: true });
    }
    try {
      return this.engine.parts();
    } catch (error) {
      // Some of the sums may be those of now, and some not.
      if (isStateFailure(error)) this.failure = error;
      throw error;
    }
  }

  /** Changes the fold; if the engine fails, with another one. A failed attempt changes nothing. */
  private async step<Result>(attempt: () => Result): Promise<Result> {
    for (;;) {
      let result: Result;
      try {
        result = attempt();
      } catch (error) {
        // A part of a slot may be applied.
        this.isReplacing = true;
        await this.replaceEngine(error);
        continue;
      }
      if (this.failure !== null) await this.replaceEngine(this.failure);
      return result;
    }
  }

  /** A listener that cannot read the state does not prevent a step: the engine is replaced then. */
  private notify(event: (listener: FoldListener) => void): void {
    if (this.listener === null) return;
    try {
      event(this.listener);
    } catch (error) {
      if (!isStateFailure(error)) throw error;
      this.failure = error;
    }
  }

  /** A final slot that can be read meanwhile takes longer. */
  private applyOptions(isFinal: boolean): ApplyOptions {
    const { listener, onPause } = this;
    if (listener === null) return { isFinal, onPause };
    const { duringSlots: reads } = listener;
    if (reads === undefined || (isFinal && !reads.areLikely)) return { isFinal };
    return { isFinal, pause: (asOfLastSlot) => reads.answer(asOfLastSlot) };
  }

  private fold(facts: SlotFacts, isFinal: boolean, isLogged: boolean): FoldedSlot {
    const previous = this.end;
    const changes = this.engine.apply(facts, this.applyOptions(isFinal));
    this.notify((listener) => listener.onApplied(changes));
    const { timeMs } = changes;
    const marks = marksOfNewest(facts, { previous, timeMs, nowMs: this.nowMs() });
    return { facts, changes, marks, isLogged };
  }
}

function endOf({ facts, changes }: FoldedSlot): ChainEnd {
  return { slot: facts.slot, blockhash: facts.blockhash, timeMs: changes.timeMs };
}
