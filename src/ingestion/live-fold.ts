import { setImmediate as nextTurn } from 'node:timers/promises';
import { DECODER_VERSION } from '../decoders/registry.ts';
import { Mutex } from '../lib/mutex.ts';
import type { SlotMark } from '../model/slot-range.ts';
import { asSlot } from '../model/units.ts';
import type { Cursor } from '../store/control/cursor.ts';
import type { EngineFactory } from './engine-factory.ts';
import { Fold } from './fold.ts';
import type { FoldListener } from './fold-listener.ts';
import type { IngestionParts } from './ingestion-parts.ts';
import type { IngestionHooks } from './ingestion-run.ts';
import type { IngestionStore } from './ingestion-store.ts';
import { LateSlots } from './late-slots.ts';
import { PendingMarks } from './pending-marks.ts';
import { recoveringStore } from './recovering-store.ts';
import { Refold } from './refold.ts';
import { WriteRecovery } from './write-recovery.ts';
import { Writing } from './writing.ts';

/** Marks of stored slots are written once there are this many. */
const MARKS_MAX = 500;

/**
 * The fold with the current state, and its stored part: it is written in batches, rebuilt from the
 * log, and replaced as a whole after a refold.
 */
export class LiveFold {
  /** Retries transient failures. */
  readonly store: IngestionStore;
  readonly recovery: WriteRecovery;
  readonly marks: PendingMarks;
  readonly lateSlots = new LateSlots();
  readonly writing = new Writing(() => this.write());
  private readonly createEngine: EngineFactory;
  private readonly nowMs: () => number;
  private readonly mutex = new Mutex();
  private foldNow: Fold;
  private cursorNow: Cursor;
  private olderSlotCount = 0;
  private refoldCount = 0;
  private listenerNow: FoldListener | null = null;

  constructor({ store, createEngine, nowMs = Date.now }: IngestionParts) {
    this.recovery = new WriteRecovery(nowMs, () => this.listenerNow?.onStep());
    this.store = recoveringStore(store, this.recovery);
    this.createEngine = createEngine;
    this.nowMs = nowMs;
    this.cursorNow = store.cursor.read();
    this.foldNow = new Fold(createEngine(), this.cursorNow.epoch, nowMs);
    this.marks = new PendingMarks(store.gaps);
  }

  /** The current fold; replaced after a refold. */
  get fold(): Fold {
    return this.foldNow;
  }

  /** The stored part of the fold. */
  get cursor(): Cursor {
    return this.cursorNow;
  }

  /** The listener for all changes; null without one. */
  get listener(): FoldListener | null {
    return this.listenerNow;
  }

  /** Number of slots in the log decoded by older decoders. */
  get olderSlots(): number {
    return this.olderSlotCount;
  }

  /** Number of refolds since the start. */
  get refolds(): number {
    return this.refoldCount;
  }

  /** Sets the listener for all further changes. */
  listen(listener: FoldListener): void {
    this.listenerNow = listener;
    this.foldNow.listener = listener;
  }

  /** Runs `work` while nothing else is folded or written. */
  exclusively<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.mutex.run(work);
  }

  private async write(): Promise<void> {
    const { fold } = this;
    const batch = fold.take();
    const slots = [...this.lateSlots.take(), ...batch.slots];
    const marks = [...this.marks.take(), ...batch.marks];
    // Slots folded during this write are in the next one.
    const slot = fold.finalEnd?.slot ?? null;
    if (slots.length === 0 && batch.changes.length === 0 && marks.length === 0) return;
    this.listener?.onBeforeWrite?.();
    await this.settle();
    if (slots.length > 0 || batch.changes.length > 0) {
      await this.store.writer.writeBatch({ epoch: fold.epoch, slots, changes: batch.changes });
    }
    await this.recovery.run(() => this.moveCursor({ ...this.cursor, slot }, marks));
    fold.written();
    this.lateSlots.written();
    this.marks.written();
  }

  /** Resolves when everything is stored that must be stored before the next slot. */
  settle(): Promise<void> {
    return this.recovery.run(() => this.listener?.settle?.());
  }

  /**
   * Rebuilds the state from the log; rows of slots beyond the cursor are written again.
   */
  async foldLog(hooks: IngestionHooks): Promise<void> {
    const written = this.cursor.slot;
    // A folder written before the ledger existed: only the whole log can fill it.
    const isUnmarked = this.store.gaps.isEmpty;
    let slots = 0;
    for await (const facts of this.store.log.read(0)) {
      if (facts.decoderVersion < DECODER_VERSION) this.olderSlotCount++;
      if (written !== null && facts.slot <= written) {
        const marks = this.fold.addWritten(facts);
        if (isUnmarked) this.marks.settle(marks);
      } else this.fold.addFinal(facts, true);
      await this.settle();
      if (this.fold.isFull || this.marks.settledCount >= MARKS_MAX) await this.writing.finish();
      hooks.onFold?.(++slots);
    }
    await this.writing.finish();
  }

  /**
   * Folds the whole log under a new epoch, which replaces all derived rows at once when it is
   * complete. The live fold continues meanwhile, so both states are in memory. If aborted,
   * everything stays unchanged and the refold is repeated later.
   */
  async refold(hooks: IngestionHooks): Promise<void> {
    const { epoch } = await this.exclusively(async () => {
      await this.writing.finish();
      const marks = this.lateSlots.refolding();
      await this.recovery.run(() => this.moveCursor({ ...this.cursor, isDirty: true }, marks));
      return { epoch: this.cursor.epoch + 1 };
    });
    await this.store.epochs.prepare(epoch);
    const fold = new Fold(this.createEngine(), epoch, this.nowMs);
    const refold = new Refold(this.store, fold, this.recovery);
    for await (const slots of refold.run()) {
      if (hooks.signal?.aborted === true) {
        return;
      }
      hooks.onFold?.(slots);
      await nextTurn();
    }
    await this.exclusively(async () => {
      await this.writing.finish();
      await refold.catchUp();
      await this.replaceFold(refold);
    });
    await this.store.epochs.retireBefore(epoch);
  }

  private async replaceFold({ fold, olderSlots }: Refold): Promise<void> {
    const tail = this.fold.tailSlots.map(({ facts }) => facts);
    const { finalSlot } = this.fold;
    if (finalSlot >= 0) fold.finalise(asSlot(finalSlot));
    for (const facts of tail) fold.addTail(facts);
    const slot = fold.finalEnd?.slot ?? null;
    const isDirty = this.lateSlots.isAnyNew;
    await this.recovery.run(() => this.moveCursor({ epoch: fold.epoch, slot, isDirty }));
    fold.listener = this.listener;
    this.foldNow = fold;
    this.olderSlotCount = olderSlots;
    this.refoldCount++;
    this.marks.changed();
    this.listener?.onReplaced();
  }

  /**
   * Records in the cursor that the log must be refolded, and `marks` in the ledger, in one step.
   */
  async noteDirty(marks: readonly SlotMark[]): Promise<void> {
    if (this.cursor.isDirty && marks.length === 0) return;
    await this.recovery.run(() => this.moveCursor({ ...this.cursor, isDirty: true }, marks));
  }

  private moveCursor(cursor: Cursor, marks: readonly SlotMark[] = []): void {
    this.store.cursor.write(cursor, marks);
    this.cursorNow = cursor;
  }
}
