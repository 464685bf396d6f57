import { setImmediate as nextTurn } from 'node:timers/promises';
import { DECODER_VERSION } from '../decoders/registry.ts';
import { Mutex } from '../lib/mutex.ts';
import type { SlotMark } from '../model/slot-range.ts';
import { asSlot, type Slot } from '../model/units.ts';
import type { Cursor } from '../store/control/cursor.ts';
import { type FoldLayers, rowLayersOf } from '../store/control/fold-layers.ts';
import { Fold } from './fold.ts';
import type { FoldListener } from './fold-listener.ts';
import { type FoldStates, unstoredStates } from './fold-states.ts';
import type { IngestionParts } from './ingestion-parts.ts';
import type { IngestionHooks } from './ingestion-run.ts';
import type { IngestionStore } from './ingestion-store.ts';
import { LateSlots } from './late-slots.ts';
import { LiveState } from './live-state.ts';
import {
  completeRows,
  mergeLayersOf,
  type PartialStart,
  type RefoldEnd,
  type RestoreAt,
  startBefore,
} from './partial-refold.ts';
import { PendingMarks } from './pending-marks.ts';
import { recoveringStore } from './recovering-store.ts';
import { Refold, type RefoldOutcome, reportRefold } from './refold.ts';
import { WriteRecovery } from './write-recovery.ts';
import { Writing } from './writing.ts';

/** Marks of stored slots are written once there are this many. */
const MARKS_MAX = 500;

/**
 * The fold with the current state, and its stored part: it is written in batches, rebuilt from the
 * log, and replaced after a refold.
 */
export class LiveFold {
  /** Retries transient failures. */
  readonly store: IngestionStore;
  readonly recovery: WriteRecovery;
  readonly marks: PendingMarks;
  readonly lateSlots = new LateSlots();
  readonly writing = new Writing(() => this.write());
  private readonly states: FoldStates;
  /** The stored part of its state. */
  readonly state: LiveState;
  private readonly nowMs: () => number;
  private readonly mutex = new Mutex();
  private foldNow: Fold;
  private cursorNow: Cursor;
  private olderSlotCount = 0;
  private refoldCount = 0;
  private listenerNow: FoldListener | null = null;

  constructor({ store, createEngine, states, restoreAt, nowMs = Date.now }: IngestionParts) {
    this.recovery = new WriteRecovery(nowMs, () => this.listenerNow?.onStep());
    this.store = recoveringStore(store, this.recovery);
    this.states = states ?? unstoredStates(createEngine, restoreAt);
    this.nowMs = nowMs;
    this.cursorNow = store.cursor.read();
    this.foldNow = new Fold(createEngine(), this.cursorNow.epoch, nowMs);
    this.marks = new PendingMarks(store.gaps);
    const { log, logStart } = this.store;
    const cursor = () => this.cursorNow;
    const { recovery } = this;
    this.state = new LiveState({ states: this.states, log, logStart, recovery, cursor, nowMs });
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

  /** Lets the state be read between slots, and continues a checkpoint. Nothing is applied meanwhile. */
  async rest(): Promise<void> {
    // The state is published in the first turn; reads that waited are answered in the second.
    for (let turn = 0; turn < 2; turn++) await nextTurn();
    const { fold, cursor, olderSlots } = this;
    await this.state.step({ fold, cursor, olderSlots });
    await nextTurn();
  }

  /** Stores the state, in which everything is final and stored. Nothing may be folded meanwhile. */
  completeCheckpoint(): Promise<void> {
    const { fold, cursor, olderSlots } = this;
    return this.state.complete({ fold, cursor, olderSlots });
  }

  /** Releases the state. Nothing may be called afterwards, until there is another fold. */
  close(): Promise<void> {
    return this.state.close(this.fold.engine);
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
      const { top: layer } = rowLayersOf(this.cursor);
      const { epoch } = fold;
      await this.store.writer.writeBatch({ epoch, layer, slots, changes: batch.changes });
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
   * Applies the log after the state that `openState` opened; rows of slots beyond the cursor are
   * written again. Other tasks run between slots. If aborted, the rest is applied at the next start.
   */
  async foldLog(hooks: IngestionHooks): Promise<void> {
    await this.mergeLayers();
    const written = this.cursor.slot;
    // A folder written before the ledger existed: only the whole log can fill it.
    const isUnmarked = this.store.gaps.isEmpty;
    let slots = 0;
    for await (const facts of this.store.log.read((this.fold.end?.slot ?? -1) + 1)) {
      if (facts.decoderVersion < DECODER_VERSION) this.olderSlotCount++;
      if (written !== null && facts.slot <= written) {
        const marks = await this.fold.addWritten(facts);
        if (isUnmarked) this.marks.settle(marks);
      } else await this.fold.addFinal(facts, true);
      await this.settle();
      if (this.fold.isFull || this.marks.settledCount >= MARKS_MAX) await this.writing.finish();
      hooks.onFold?.(++slots, { slot: facts.slot, lastSlot: written });
      await this.rest();
      if (hooks.signal?.aborted === true) break;
    }
    await this.writing.finish();
  }

  /**
   * Folds the changed log again under a new epoch, which replaces the derived rows at once when it
   * is complete: from the state before the first changed slot, if that can be restored, otherwise
   * the whole log. The live fold continues meanwhile, so both states are in memory. If aborted,
   * everything stays unchanged and the refold is repeated later.
   *
   * `isWhole`: the whole log is folded, whatever has changed.
   */
  async refold(hooks: IngestionHooks, { isWhole } = { isWhole: false }): Promise<void> {
    const { epoch, from } = await this.exclusively(() => this.beginRefold());
    // A commit removes old checkpoints, of which the refold may need one.
    await this.state.settled();
    const restoreAt = this.restoreFor(epoch, false);
    const surroundings = { cursor: this.cursor, epoch, restoreAt };
    const start =
      isWhole || from === null
        ? null
        : await this.recovery.run(() => startBefore(from, surroundings));
    const { engine, end, olderSlots } =
      start ?? (await this.recovery.run(() => this.state.create(epoch)));
    const fold = new Fold(engine, epoch, this.nowMs, end);
    fold.onPause = () => this.listener?.duringSlots?.answer((read) => read());
    const { store, recovery, lateSlots } = this;
    // A part begins at a checkpoint, from which another process would fold it again.
    const checkpoints = start === null ? this.state.checkpointsOf(engine) : null;
    const records = this.state.recordsOf(engine);
    const parts = { store, recovery, checkpoints, records, lateSlots };
    const refold = new Refold(parts, { fold, olderSlots });
    const run = () => this.runRefold(refold, start, hooks);
    const outcome = await reportRefold(refold, hooks, run).catch((error: unknown) => {
      return this.state.afterRefold(error, { engine: fold.engine, isWhole: start === null });
    });
    if (outcome !== 'done') fold.engine.close();
    if (outcome === 'repeat') await this.refold(hooks, { isWhole: true });
    if (outcome === 'again') await this.refold(hooks);
  }

  private async runRefold(
    refold: Refold,
    start: PartialStart | null,
    hooks: IngestionHooks,
  ): Promise<RefoldOutcome> {
    for await (const position of refold.run()) {
      if (hooks.signal?.aborted === true) return 'aborted';
      hooks.onFold?.(refold.slots, position);
      await nextTurn();
    }
    const ended = await this.exclusively(() => this.endRefold(refold, start));
    if (ended.kind !== 'merging') return this.state.afterIncomplete(ended);
    await ended.done;
    return 'done';
  }

  private async beginRefold(): Promise<{ readonly epoch: number; readonly from: Slot | null }> {
    await this.mergeLayers();
    await this.writing.finish();
    const marks = this.lateSlots.refolding();
    await this.recovery.run(() => this.moveCursor({ ...this.cursor, isDirty: true }, marks));
    return { epoch: this.cursor.epoch + 1, from: this.cursor.dirtyFrom ?? null };
  }

  /** Makes the rows of a refold visible. `done` resolves when they are in one layer. */
  private async endRefold(refold: Refold, start: PartialStart | null): Promise<RefoldEnd> {
    const { epoch } = refold.fold;
    await this.writing.finish();
    await refold.catchUp();
    if (start !== null) {
      const restoreAt = this.restoreFor(epoch, true);
      const incomplete = await completeRows(start, this.store, { epoch, restoreAt });
      if (incomplete !== null) return incomplete;
    }
    await this.replaceFold(refold, start?.layers ?? null);
    return { kind: 'merging', done: this.writing.begin(() => this.mergeLayers()) };
  }

  private async replaceFold({ fold, olderSlots }: Refold, layers: FoldLayers | null) {
    const { finalSlot, tailSlots } = this.fold;
    if (finalSlot >= 0) fold.finalise(asSlot(finalSlot));
    for (const { facts } of tailSlots) await fold.addTail(facts);
    const slot = fold.finalEnd?.slot ?? null;
    const dirtyFrom = this.lateSlots.firstNew;
    const isDirty = dirtyFrom !== null;
    const { epoch } = fold;
    await this.recovery.run(() => this.moveCursor({ epoch, slot, isDirty, dirtyFrom, layers }));
    await this.close();
    this.setFold(fold, olderSlots);
    this.refoldCount++;
    this.marks.changed();
    await fold.notifyReplaced();
    await this.state.retain(epoch);
  }

  /** Opens the newest stored state, or an empty one. Call once, before anything is applied. */
  async openState(): Promise<void> {
    const { cursor, state } = this;
    const restored = this.store.gaps.isEmpty ? null : await state.restore(cursor);
    // A refold of the end of the log begins at an earlier state of this fold, so none is removed.
    if (restored === null && cursor.isDirty) return;
    const { engine, end, olderSlots } = restored ?? state.create(cursor.epoch);
    this.fold.engine.close();
    this.setFold(new Fold(engine, cursor.epoch, this.nowMs, end), olderSlots);
    await state.retain(cursor.epoch);
  }

  private setFold(fold: Fold, olderSlots: number): void {
    fold.listener = this.listener;
    this.foldNow = fold;
    this.olderSlotCount = olderSlots;
    this.state.begin(fold);
  }

  private restoreFor(target: number, isForRows: boolean): RestoreAt {
    const { epoch } = this.cursor;
    return (slot) => this.states.restoreAt(slot, epoch, { target, isForRows });
  }

  /**
   * Merges the layers of a refold of the end of the log, and removes rows of replaced folds. Nothing
   * else may be written meanwhile: a new row in the top layer would not replace that of its key in
   * the base layer. The cursor may move meanwhile: a slot can come late.
   */
  private async mergeLayers(): Promise<void> {
    await mergeLayersOf(this.cursor, this.store.layers, (layers) =>
      this.recovery.run(() => this.moveCursor({ ...this.cursor, layers })),
    );
  }

  /**
   * Records in the cursor that the log must be refolded from a slot on, and `marks` in the ledger,
   * in one step.
   */
  async noteDirty(from: Slot, marks: readonly SlotMark[] = []): Promise<void> {
    const { isDirty, dirtyFrom = null } = this.cursor;
    const isNoted = isDirty && (dirtyFrom === null || dirtyFrom <= from);
    if (isNoted && marks.length === 0) return;
    const dirty = { isDirty: true, dirtyFrom: isNoted ? dirtyFrom : from };
    await this.recovery.run(() => this.moveCursor({ ...this.cursor, ...dirty }, marks));
  }

  private moveCursor(cursor: Cursor, marks: readonly SlotMark[] = []): void {
    this.store.cursor.write(cursor, marks);
    this.cursorNow = cursor;
    this.listener?.onStored?.(cursor.slot);
  }
}
