import { setTimeout as delay } from 'node:timers/promises';
import type { SourceItem } from '../chain/source.ts';
import type { Engine } from '../engine/engine.ts';
import type { SourceProblem } from '../model/errors.ts';
import type { SlotFacts } from '../model/slot-facts.ts';
import type { SlotGap } from '../model/slot-range.ts';
import type { StateDigest } from '../model/state-digest.ts';
import type { StateStatus } from '../model/state-status.ts';
import type { Slot } from '../model/units.ts';
import { ChangeableSlots } from './changeable-slots.ts';
import type { FoldListener } from './fold-listener.ts';
import { FollowedTail } from './followed-tail.ts';
import type { IngestionParts } from './ingestion-parts.ts';
import {
  type IngestionHooks,
  type IngestionResult,
  IngestionRun,
  type IngestionSource,
} from './ingestion-run.ts';
import { type IngestionStatus, statusOf } from './ingestion-status.ts';
import { factsOf, type SlotItem, slotOf } from './late-facts.ts';
import { LateHistory } from './late-history.ts';
import { LiveFold } from './live-fold.ts';
import { LogCatchUp } from './log-catch-up.ts';
import { LogRetention } from './log-retention.ts';
import { type PastSource, pastSourceOf } from './past-source.ts';
import { type PointSource, pointSourceOf } from './point-reads.ts';
import { Refolding } from './refolding.ts';
import { type BlocklessItem, markOfBlockless } from './slot-marks.ts';
import { StateTrust } from './state-trust.ts';
import type { RecoveryHooks } from './write-recovery.ts';

/** Poll interval of a source of final blocks that is ahead of the followed chain. */
const AHEAD_POLL_MS = 50;

/**
 * Moves slots from sources through decoders and engine into the store, in batches: log rows,
 * derived rows, then the cursor. The store contains final slots only; later ones are the tail, in
 * memory. A crash at any point loses no final slot: what the log contains beyond the cursor is
 * folded at the next start, everything else is read from the source again.
 *
 * Several sources may be ingested at once, of which one may follow a chain. Late slots are added to
 * the log, which is then refolded in the background; the new fold replaces the live fold.
 */
export class Ingestion {
  /** Applies the stored log to the state at the start. */
  readonly catchUp: LogCatchUp;
  /** Which states can be trusted, where others may contradict them. */
  readonly trust: StateTrust;
  private readonly live: LiveFold;
  private readonly nowMs: () => number;
  private readonly problemCounts: Record<string, number> = {};
  private readonly history: LateHistory;
  private readonly changeable: ChangeableSlots;
  private readonly retention: LogRetention;
  private readonly tail: FollowedTail;
  private readonly refolding: Refolding;
  /** The run of the source that follows the chain, which produced the tail. */
  private following: IngestionRun | null = null;
  private stop: SourceProblem | null = null;

  private constructor(parts: IngestionParts) {
    const live = new LiveFold(parts);
    const { marks, lateSlots } = live;
    const { log, logStart, removal, gaps } = live.store;
    this.live = live;
    this.catchUp = new LogCatchUp(parts, live);
    this.nowMs = parts.nowMs ?? Date.now;
    this.tail = new FollowedTail(marks, () => live.fold);
    this.refolding = new Refolding({
      isDirty: () => live.cursor.isDirty,
      quietMs: () => lateSlots.quietMs,
      refold: (hooks) => this.live.refold(hooks),
    });
    this.trust = new StateTrust(live, this.refolding);
    this.changeable = new ChangeableSlots(live);
    this.retention = new LogRetention(live.store, parts.logRetentionMs ?? null);
    this.history = new LateHistory({
      ...{ log, logStart, removal, marks, slots: lateSlots, nowMs: this.nowMs },
      changeable: this.changeable,
      ranges: (from, to) => gaps.ranges(from, to),
      fold: () => live.fold,
      gaps: () => this.gaps,
      flush: () => live.writing.finish(),
      noteDirty: (from, dirtyMarks) => live.noteDirty(from, dirtyMarks),
    });
  }

  /**
   * Rebuilds the state from the log, completing the work of
   * an interrupted run.
   */
  static async open(parts: IngestionParts, hooks: IngestionHooks = {}): Promise<Ingestion> {
    const ingestion = await Ingestion.restore(parts, hooks);
    await ingestion.catchUp.run(hooks);
    return ingestion;
  }

  /**
   * Opens the newest stored state, which can be read at once. Run `catchUp` before anything is
   * ingested.
   */
  static async restore(parts: IngestionParts, hooks: IngestionHooks = {}): Promise<Ingestion> {
    const ingestion = new Ingestion(parts);
    await ingestion.catchUp.open(hooks);
    return ingestion;
  }

  /**
   * Enables retries: transient failures to store are retried while the source waits. Otherwise they
   * are thrown like any other failure.
   */
  keepTrying(hooks: RecoveryHooks): void {
    this.live.recovery.enable(hooks);
  }

  /** Sets the listener for all further changes. */
  listen(listener: FoldListener): void {
    this.live.listen(listener);
  }

  /** Releases the state. Nothing may be called afterwards. */
  close(): Promise<void> {
    return this.live.close();
  }

  /** The engine with the current state. Replaced as a whole after a refold. */
  get engine(): Engine {
    return this.live.fold.engine;
  }

  /** Where the state is, in memory and on disk; null if it is not stored. */
  get stateStatus(): StateStatus | null {
    return this.live.state.status;
  }

  /** The digest after the newest slot; null before the first. Costs what changed since the last. */
  digest(): StateDigest | null {
    return this.live.fold.digest();
  }

  /** Digests of the last checkpoints and of the last requests, newest first. */
  get recentDigests(): readonly StateDigest[] {
    return this.live.fold.digests.newestFirst;
  }

  /** Whether the state is being computed again: until then its values are those of no slot. */
  get isRebuilding(): boolean {
    return this.live.fold.hasFailed;
  }

  /** Number of slots in the log decoded by older decoders: their records should be replayed. */
  get olderSlots(): number {
    return this.live.olderSlots;
  }

  /** Parts of the input that could not be used since the start, by code. */
  get problems(): Readonly<Record<string, number>> {
    return this.problemCounts;
  }

  /** What reads of stored rows must be completed with, for `PointReads`. */
  get point(): PointSource {
    return pointSourceOf(this.live.fold, this.live.cursor, this.catchUp.storedAhead);
  }

  /** What states of earlier slots are computed from. */
  get past(): PastSource {
    return pastSourceOf(this.live, this.catchUp.storedAhead);
  }

  /** Slots that no source could provide, ascending, including those that are not final. */
  get gaps(): readonly SlotGap[] {
    return this.live.marks.gaps(() => this.live.fold.unwritten.flatMap((folded) => folded.marks));
  }

  /** Earlier slots were dropped from the log; null: none. */
  get logStart(): Slot | null {
    return this.live.store.logStart.slot;
  }

  /** The first slot that can still be added to the log; null: any. */
  get firstChangeable(): Slot | null {
    return this.changeable.first;
  }

  get status(): IngestionStatus {
    const { live, following, tail, history, refolding, trust, stop } = this;
    return statusOf({ live, following, tail, history, refolding, trust, stop });
  }

  /**
   * Folds everything the source yields; late slots are inserted at their position. When a source
   * that follows the chain ends, slots that are not final are reverted, since the next source
   * delivers them again.
   *
   * Throws ChainError if the source contradicts final slots or finalises nothing for too long, and
   * StoreError if a write fails. Everything final stays stored.
   */
  async ingest(source: IngestionSource, hooks: IngestionHooks = {}): Promise<IngestionResult> {
    const run = new IngestionRun(source, hooks);
    this.live.state.follow(hooks);
    await this.live.exclusively(() => this.begin(run));
    try {
      for await (const item of source) {
        if (run.isAborted) break;
        while (this.isAhead(item, run) && !run.isAborted) await delay(AHEAD_POLL_MS);
        if (run.isAborted) break;
        await this.live.exclusively(() => this.handle(item, run));
        await this.live.settle();
        // Not before: gaps may be asked for while the item is taken.
        this.live.marks.changed();
        this.live.listener?.onStep();
        await this.live.exclusively(() => this.rest(source));
      }
      this.stop = run.stop ?? this.stop;
      await this.live.exclusively(() => this.end(run));
      await this.refolding.untilClean(hooks);
    } catch (error) {
      // What was stopped is completed by the next start.
      if (!run.isAborted || error !== hooks.signal?.reason) throw error;
    } finally {
      run.close();
      if (this.following === run) this.following = null;
      await this.refolding.settled();
      await this.live.writing.settled();
      this.live.listener?.onStep();
    }
    return run.result;
  }

  private async rest({ areBlocksFinal }: IngestionSource): Promise<void> {
    const { live } = this;
    await live.rest();
    if (areBlocksFinal) return;
    await this.retention.step({ cursor: live.cursor, retained: live.state.retained });
  }

  private async begin(run: IngestionRun): Promise<void> {
    if (!this.catchUp.isDone && !run.isAborted) {
      throw new RangeError('the stored log is not applied yet');
    }
    if (run.source.areBlocksFinal) return;
    if (this.following !== null) {
      throw new RangeError('a source that follows the chain is being ingested already');
    }
    // Left by a failed source.
    await this.dropTail();
    this.following = run;
    this.stop = null;
  }

  private async end({ source, stop }: IngestionRun): Promise<void> {
    if (!source.areBlocksFinal) await this.dropTail();
    await this.live.writing.finish();
    // A state that is known to be wrong must not be the newest that is stored.
    if (stop?.code !== 'state-differs') await this.live.completeCheckpoint();
  }

  /** Whether a source of final blocks is ahead of the finalised part of the followed chain. */
  private isAhead(item: SourceItem, { source }: IngestionRun): boolean {
    if (!source.areBlocksFinal || (item.kind !== 'block' && item.kind !== 'facts')) return false;
    return this.following !== null && slotOf(item) > this.live.fold.finalSlot;
  }

  private async handle(item: SourceItem, run: IngestionRun): Promise<void> {
    // A failed write refuses those of a refold: it is the reason, and reported first.
    this.live.writing.assertWell();
    this.refolding.assertWell();
    const onProblem = (problem: SourceProblem) => this.countProblem(problem, run);
    if (item.kind === 'problem') return onProblem(item.problem);
    if (item.kind === 'undo') await this.tail.undo(item.toSlot, item.toBlockhash, run.hooks);
    else if (item.kind === 'final') this.tail.finalise(item.slot);
    else if (item.kind === 'missing' || item.kind === 'skipped') await this.note(item, run);
    else if (item.kind === 'dropped') await this.history.drop(item, onProblem);
    else run.count(await this.take(item, run));
    if (this.live.fold.isFull || this.live.lateSlots.isFull || run.isWriteDue) {
      // At most one further batch may wait while one is being written.
      if (this.live.fold.isFull || this.live.lateSlots.isFull) await this.live.writing.settled();
      this.live.writing.start();
      run.wrote();
    }
    if (run.source.areBlocksFinal) return;
    this.refolding.startWhenQuiet(run.backgroundHooks);
  }

  /** Null if all transactions of the slot are known already. */
  private async take(item: SlotItem, run: IngestionRun): Promise<SlotFacts | null> {
    const slot = slotOf(item);
    const onProblem = (problem: SourceProblem) => this.countProblem(problem, run);
    const isNewest = slot > (this.live.fold.end?.slot ?? -1);
    if (run.source.areBlocksFinal) {
      if (!isNewest) return this.history.take(item, run, onProblem);
      const facts = await run.bundles.attach(factsOf(item));
      run.hooks.onSlot?.(facts);
      await this.dropTail();
      const { fold } = this.live;
      await fold.addFinal(run.hooks.rules?.attach(facts, fold) ?? facts, false);
      return facts;
    }
    if (isNewest) return this.tail.add(item, run);
    if (slot <= this.live.fold.finalSlot) return this.history.take(item, run, onProblem);
    return this.tail.insert(item, run);
  }

  private dropTail(): Promise<void> {
    return this.tail.drop(this.following?.hooks.observer);
  }

  private async note(item: BlocklessItem, run: IngestionRun): Promise<void> {
    const { source, hooks } = run;
    const mark = markOfBlockless(item, this.nowMs());
    const isFinal = source.areBlocksFinal || mark.to <= this.live.fold.finalSlot;
    if (isFinal) await this.history.note(mark, (problem) => this.countProblem(problem, run));
    else this.live.marks.keepOpen(mark);
    if (mark.state === 'missing') hooks.onMissing?.(mark);
  }

  private countProblem(problem: SourceProblem, run: IngestionRun): void {
    const { code } = problem;
    this.problemCounts[code] = (this.problemCounts[code] ?? 0) + 1;
    run.countProblem(problem);
  }
}
