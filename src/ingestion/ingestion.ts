import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import type { SourceItem } from '../chain/source.ts';
import { DECODER_VERSION } from '../decoders/registry.ts';
import type { Engine } from '../engine/engine.ts';
import { Mutex } from '../lib/mutex.ts';
import type { SourceProblem } from '../model/errors.ts';
import type { SlotFacts } from '../model/slot-facts.ts';
import type { SlotGap, SlotMark } from '../model/slot-range.ts';
import type { Slot } from '../model/units.ts';
import type { Cursor } from '../store/control/cursor.ts';
import type { EngineFactory } from './engine-snapshots.ts';
import { Fold, type FoldedSlot } from './fold.ts';
import type { FoldListener } from './fold-listener.ts';
import { FoldSnapshots } from './fold-snapshots.ts';
import { FollowedTail } from './followed-tail.ts';
import type { IngestionParts } from './ingestion-parts.ts';
import {
  type IngestionHooks,
  type IngestionResult,
  IngestionRun,
  type IngestionSource,
} from './ingestion-run.ts';
import { type IngestionStatus, statusOf } from './ingestion-status.ts';
import type { IngestionStore } from './ingestion-store.ts';
import { factsOf, type SlotItem, slotOf } from './late-facts.ts';
import { LateHistory } from './late-history.ts';
import { PendingMarks } from './pending-marks.ts';
import { recoveringStore } from './recovering-store.ts';
import { Refold } from './refold.ts';
import { Refolding } from './refolding.ts';
import { ShadowSnapshots } from './shadow-snapshots.ts';
import { type BlocklessItem, markOfBlockless } from './slot-marks.ts';
import { type RecoveryHooks, WriteRecovery } from './write-recovery.ts';
import { Writing } from './writing.ts';

/** Marks of slots that are stored already wait for a write until there are so many. */
const MARKS_MAX = 500;
/** How often a source of final blocks that is ahead of the chain looks whether it may go on. */
const AHEAD_POLL_MS = 50;

/**
 * Moves slots from sources through decoders and engine into the store, in batches: log rows, derived
 * rows, then the cursor. The store holds final slots only; later ones are the tail, in memory. A
 * kill at any point loses nothing that is final: what the log holds beyond the cursor is folded at
 * the next start, what it does not hold is read from the source again.
 *
 * States without a tail are kept as snapshots, from which the next start goes on: when a source
 * ends, when the log was folded again, and every so many slots. A followed chain nearly always has
 * a tail: while it is followed a shadow fold of the final slots makes them (ShadowSnapshots).
 *
 * Several sources may be ingested at once, of which one may follow a chain. Slots that come late
 * are added to the log, and the log is folded again beside the live fold, which it then replaces.
 */
export class Ingestion {
  private readonly store: IngestionStore;
  private readonly createEngine: EngineFactory;
  private readonly snapshots: FoldSnapshots;
  private readonly nowMs: () => number;
  private readonly mutex = new Mutex();
  private readonly problemCounts: Record<string, number> = {};
  private refolds = 0;
  private readonly history: LateHistory;
  private readonly tail: FollowedTail;
  private readonly marks: PendingMarks;
  private readonly refolding: Refolding;
  private readonly writing = new Writing(() => this.write());
  private readonly shadow: ShadowSnapshots;
  private readonly recovery: WriteRecovery;
  private fold: Fold;
  private cursor: Cursor;
  private olderSlotCount = 0;
  /** The run of the source that follows the chain: the tail is what it told. */
  private following: IngestionRun | null = null;
  private stopReason: string | null = null;
  private listener: FoldListener | null = null;

  private constructor({ store, createEngine, snapshots, nowMs = Date.now }: IngestionParts) {
    this.recovery = new WriteRecovery(nowMs, () => this.listener?.onStep());
    this.store = recoveringStore(store, this.recovery);
    this.createEngine = createEngine;
    this.snapshots = new FoldSnapshots(snapshots);
    this.nowMs = nowMs;
    this.cursor = store.cursor.read();
    this.fold = new Fold(createEngine(null), this.cursor.epoch, nowMs);
    this.marks = new PendingMarks(store.gaps);
    this.tail = new FollowedTail(this.marks, () => this.fold);
    this.refolding = new Refolding({
      isDirty: () => this.cursor.isDirty,
      quietMs: () => this.history.slots.quietMs,
      refold: (hooks) => this.refold(hooks),
    });
    this.shadow = new ShadowSnapshots({
      log: this.store.log,
      snapshots: this.snapshots,
      exclusively: (work) => this.mutex.run(work),
    });
    this.history = new LateHistory({
      ...{ log: this.store.log, removal: this.store.removal, marks: this.marks, nowMs },
      fold: () => this.fold,
      gaps: () => this.gaps,
      cancelShadow: () => this.shadow.cancel(),
      flush: () => this.writing.finish(),
      noteDirty: (marks) => this.noteDirty(marks),
    });
  }

  /**
   * Rebuilds the state from the newest snapshot that can be used and the log after it, finishing
   * whatever an interrupted run left undone.
   */
  static async open(parts: IngestionParts, hooks: IngestionHooks = {}): Promise<Ingestion> {
    const ingestion = new Ingestion(parts);
    const { cursor } = parts.store;
    const { isDirty, slot } = cursor.read();
    const areRulesKept = slot === null || cursor.readRules() === parts.rules;
    if (isDirty || !areRulesKept) await ingestion.refold(hooks);
    else await ingestion.foldLog(hooks);
    cursor.writeRules(parts.rules);
    return ingestion;
  }

  /**
   * From here on, what cannot be stored for a reason that may pass is tried again until it can, and
   * the source waits meanwhile. Without it such a failure is thrown as any other is.
   */
  keepTrying(hooks: RecoveryHooks): void {
    this.recovery.enable(hooks);
  }

  /** Tells `listener` from here on of everything that changes. */
  listen(listener: FoldListener): void {
    this.listener = listener;
    this.fold.listener = listener;
  }

  /** The engine that holds the current state. Replaced as a whole when the log is folded again. */
  get engine(): Engine {
    return this.fold.engine;
  }

  /** Slots of the log that older decoders read: their records should be offered again. */
  get olderSlots(): number {
    return this.olderSlotCount;
  }

  /** Parts of the input that could not be used since the start, by code. */
  get problems(): Readonly<Record<string, number>> {
    return this.problemCounts;
  }

  /** Slots in the engine that the store does not hold yet, oldest first. */
  get unwritten(): readonly FoldedSlot[] {
    return this.fold.unwritten;
  }

  /** Slots that nobody could give, ascending; those that are not final included. */
  get gaps(): readonly SlotGap[] {
    return this.marks.gaps(() => this.fold.unwritten.flatMap(({ marks }) => marks));
  }

  get status(): IngestionStatus {
    const { fold, following, tail, history, shadow, recovery, refolds, stopReason } = this;
    const isRefolding = this.refolding.isRunning;
    const parts = { fold, following, tail, history, shadow, recovery };
    return statusOf({ ...parts, refolds, isRefolding, stopReason });
  }

  /**
   * Folds everything the source yields; late slots are put in their place. When a source that
   * follows the chain ends, what is not final by then is taken back: the next one tells it again.
   *
   * Throws ChainError when the source contradicts what is final, or says for too long of nothing
   * that it is; StoreError when a write fails. Everything final stays stored.
   */
  async ingest(source: IngestionSource, hooks: IngestionHooks = {}): Promise<IngestionResult> {
    const run = new IngestionRun(source, hooks);
    await this.mutex.run(async () => this.begin(run));
    try {
      for await (const item of source) {
        if (run.isAborted) break;
        while (this.isAhead(item, run) && !run.isAborted) await delay(AHEAD_POLL_MS);
        if (run.isAborted) break;
        await this.mutex.run(() => this.handle(item, run));
        await this.settle();
        this.listener?.onStep();
        await nextTurn();
      }
      this.stopReason = run.stopReason ?? this.stopReason;
      if (!source.areBlocksFinal) await this.shadow.stop();
      await this.mutex.run(() => this.end(run));
      await this.refolding.untilClean(hooks);
    } finally {
      run.stop();
      if (this.following === run) {
        this.following = null;
        await this.shadow.stop();
      }
      await this.refolding.settled();
      await this.writing.settled();
      this.listener?.onStep();
    }
    return run.result;
  }

  private begin(run: IngestionRun): void {
    if (run.source.areBlocksFinal) return;
    if (this.following !== null) {
      throw new RangeError('a source that follows the chain is being ingested already');
    }
    // Left by a source that failed.
    this.dropTail();
    this.following = run;
    this.stopReason = null;
  }

  private async end({ source, hooks }: IngestionRun): Promise<void> {
    if (!source.areBlocksFinal) this.dropTail();
    await this.writing.finish();
    await this.keepState(hooks);
  }

  /** For whoever just wrote everything and lets nothing be folded meanwhile. */
  private async keepState(hooks: IngestionHooks): Promise<void> {
    // Of a dirty log the state is not the one that the next start is to go on from.
    if (this.cursor.isDirty) return;
    await this.snapshots.save(this.fold, this.olderSlotCount, hooks);
  }

  private async keepDueState(hooks: IngestionHooks): Promise<void> {
    if (this.cursor.isDirty || !this.snapshots.isDue(this.fold)) return;
    await this.writing.finish();
    await this.keepState(hooks);
  }

  /** Has a shadow fold make the next snapshot when it is time for one. */
  private startShadow({ hooks }: IngestionRun): void {
    this.shadow.assertWell();
    if (this.shadow.isRunning || this.refolding.isRunning) return;
    const plan = this.snapshots.planShadow(this.fold, this.cursor);
    if (plan !== null) this.shadow.start(plan, hooks);
  }

  /** Whether a source of final blocks is ahead of what is final of the chain followed. */
  private isAhead(item: SourceItem, { source }: IngestionRun): boolean {
    if (!source.areBlocksFinal || (item.kind !== 'block' && item.kind !== 'facts')) return false;
    return this.following !== null && slotOf(item) > this.fold.finalSlot;
  }

  private async handle(item: SourceItem, run: IngestionRun): Promise<void> {
    this.refolding.assertWell();
    this.writing.assertWell();
    this.marks.changed();
    if (item.kind === 'problem') return this.countProblem(item.problem, run);
    if (item.kind === 'undo') this.tail.undo(item.toSlot, item.toBlockhash, run.hooks);
    else if (item.kind === 'final') this.tail.finalise(item.slot);
    else if (item.kind === 'missing' || item.kind === 'skipped') await this.note(item, run);
    else if (item.kind === 'dropped') await this.history.drop(item);
    else run.count(await this.take(item, run));
    if (this.fold.isFull || this.history.slots.isFull || run.isWriteDue) {
      // Beside the batch that is being written one more may wait, and no third.
      if (this.fold.isFull || this.history.slots.isFull) await this.writing.settled();
      this.writing.start();
      run.wrote();
    }
    await this.keepDueState(run.hooks);
    if (run.source.areBlocksFinal) return;
    this.refolding.startWhenQuiet(run.backgroundHooks);
    this.startShadow(run);
  }

  /** Null when all of the slot's transactions are held already. */
  private async take(item: SlotItem, run: IngestionRun): Promise<SlotFacts | null> {
    const slot = slotOf(item);
    const onProblem = (problem: SourceProblem) => this.countProblem(problem, run);
    const isNewest = slot > (this.fold.end?.slot ?? -1);
    if (run.source.areBlocksFinal) {
      if (!isNewest) return this.history.take(item, run, onProblem);
      const facts = await run.bundles.attach(factsOf(item));
      run.hooks.onSlot?.(facts);
      this.dropTail();
      this.fold.addFinal(facts, false);
      return facts;
    }
    if (isNewest) return this.tail.add(item, run);
    if (slot <= this.fold.finalSlot) return this.history.take(item, run, onProblem);
    return this.tail.insert(item, run);
  }

  private dropTail(): void {
    this.tail.drop(this.following?.hooks.observer);
  }

  private async note(item: BlocklessItem, { source, hooks }: IngestionRun): Promise<void> {
    const mark = markOfBlockless(item, this.nowMs());
    if (source.areBlocksFinal || mark.to <= this.fold.finalSlot) await this.history.note(mark);
    else this.marks.keepOpen(mark);
    if (mark.state === 'missing') hooks.onMissing?.(mark);
  }

  private countProblem(problem: SourceProblem, run: IngestionRun): void {
    const { code } = problem;
    this.problemCounts[code] = (this.problemCounts[code] ?? 0) + 1;
    run.countProblem(problem);
  }

  private async write(): Promise<void> {
    const { fold } = this;
    const batch = fold.take();
    const slots = [...this.history.slots.take(), ...batch.slots];
    const marks = [...this.marks.take(), ...batch.marks];
    // What is folded while this is written comes with the next write.
    const slot = fold.finalEnd?.slot ?? null;
    if (slots.length === 0 && batch.changes.length === 0 && marks.length === 0) return;
    this.listener?.onBeforeWrite?.();
    await this.settle();
    if (slots.length > 0 || batch.changes.length > 0) {
      await this.store.writer.writeBatch({ epoch: fold.epoch, slots, changes: batch.changes });
    }
    await this.recovery.run(() => this.moveCursor({ ...this.cursor, slot }, marks));
    fold.written();
    this.history.slots.written();
    this.marks.written();
  }

  /** Until everything is kept that has to be before more slots are folded. */
  private settle(): Promise<void> {
    return this.recovery.run(() => {
      this.store.spills?.settle();
      this.listener?.settle?.();
    });
  }

  /** State from snapshot and log; rows of slots beyond the cursor are written again. */
  private async foldLog(hooks: IngestionHooks): Promise<void> {
    const written = this.cursor.slot;
    // A folder that was written before there was a ledger, which only the whole log can fill.
    const isUnmarked = this.store.gaps.isEmpty;
    const fromSlot = isUnmarked ? 0 : await this.restore(hooks);
    let slots = 0;
    for await (const facts of this.store.log.read(fromSlot)) {
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
    await this.keepDueState(hooks);
  }

  /** Puts the fold where the newest snapshot is, and says from which slot on the log is left. */
  private async restore(hooks: IngestionHooks): Promise<number> {
    const restored = await this.snapshots.restore(this.cursor, this.createEngine, hooks);
    if (restored === null) return 0;
    const { engine, end, olderSlots, fromSlot } = restored;
    this.fold.engine.close();
    this.fold = new Fold(engine, this.cursor.epoch, this.nowMs, end);
    this.olderSlotCount = olderSlots;
    return fromSlot;
  }

  /**
   * Folds the whole log again under a new epoch, which replaces every derived row at once when it is
   * complete. The live fold goes on meanwhile, so both states are in memory. Stopped before the end,
   * it leaves everything as it was, to be done again.
   */
  private async refold(hooks: IngestionHooks): Promise<void> {
    await this.shadow.stop();
    const { epoch } = await this.mutex.run(async () => {
      await this.writing.finish();
      const marks = this.history.slots.refolding();
      await this.recovery.run(() => this.moveCursor({ ...this.cursor, isDirty: true }, marks));
      return { epoch: this.cursor.epoch + 1 };
    });
    await this.store.epochs.prepare(epoch);
    const fold = new Fold(this.createEngine(null), epoch, this.nowMs);
    const refold = new Refold(this.store, fold, this.recovery);
    for await (const slots of refold.run()) {
      if (hooks.signal?.aborted === true) {
        refold.fold.engine.close();
        return;
      }
      hooks.onFold?.(slots);
      await nextTurn();
    }
    await this.mutex.run(async () => {
      await this.writing.finish();
      await refold.catchUp();
      await this.replaceFold(refold);
      // Not before the cursor names this fold: one that was broken off is followed by another of
      // the same number, over a log that may hold more.
      await this.keepState(hooks);
    });
    await this.store.epochs.retireBefore(epoch);
  }

  private async replaceFold({ fold, olderSlots }: Refold): Promise<void> {
    const tail = this.fold.tailSlots.map(({ facts }) => facts);
    const { finalSlot } = this.fold;
    if (finalSlot >= 0) fold.finalise(finalSlot as Slot);
    for (const facts of tail) fold.addTail(facts);
    const slot = fold.finalEnd?.slot ?? null;
    const isDirty = this.history.slots.isAnyNew;
    await this.recovery.run(() => this.moveCursor({ epoch: fold.epoch, slot, isDirty }));
    fold.listener = this.listener;
    this.fold.engine.close();
    this.fold = fold;
    this.olderSlotCount = olderSlots;
    this.snapshots.replaced();
    this.refolds++;
    this.marks.changed();
    this.listener?.onReplaced();
  }

  private async noteDirty(marks: readonly SlotMark[]): Promise<void> {
    if (this.cursor.isDirty && marks.length === 0) return;
    await this.recovery.run(() => this.moveCursor({ ...this.cursor, isDirty: true }, marks));
  }

  private moveCursor(cursor: Cursor, marks: readonly SlotMark[] = []): void {
    this.store.cursor.write(cursor, marks);
    this.cursor = cursor;
  }
}
