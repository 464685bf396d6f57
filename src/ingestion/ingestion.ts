import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { DECODER_VERSION } from '../decoders/registry.ts';
import type { Engine } from '../engine/engine.ts';
import { Mutex } from '../lib/mutex.ts';
import { ChainError, type SourceProblem } from '../model/errors.ts';
import type { SlotFacts } from '../model/slot-facts.ts';
import type { SlotGap, SlotMark } from '../model/slot-range.ts';
import type { Slot } from '../model/units.ts';
import type { SourceItem } from '../sources/source.ts';
import type { Cursor } from '../store/control/cursor.ts';
import type { EngineFactory, EngineSnapshots } from './engine-snapshots.ts';
import { Fold, type FoldedSlot } from './fold.ts';
import { FoldSnapshots } from './fold-snapshots.ts';
import {
  type IngestionHooks,
  type IngestionResult,
  IngestionRun,
  type IngestionSource,
} from './ingestion-run.ts';
import type { IngestionStore } from './ingestion-store.ts';
import { blockhashOf, factsOf, lateFacts, type SlotItem, slotOf } from './late-facts.ts';
import { gapsWith } from './open-gaps.ts';
import { Refold } from './refold.ts';
import { marksOfLate } from './slot-marks.ts';

/** What ingestion works with. */
export interface IngestionParts {
  readonly store: IngestionStore;
  readonly createEngine: EngineFactory;
  /**
   * In words, what the engine's answers depend on beside the log: rows that were folded by other
   * rules are folded again.
   */
  readonly rules: string;
  /** Null: every opening folds the whole log. */
  readonly snapshots: EngineSnapshots | null;
  /** The wall clock, which dates gaps and nothing else. */
  readonly nowMs?: () => number;
}

/** Where ingestion stands. Counts are since the start. */
export interface IngestionStatus {
  /** Up to here everything stays; null before any. */
  readonly finalSlot: Slot | null;
  /** Slots in memory that may be taken back. */
  readonly tailSlots: number;
  /** Final slots that wait for their write. */
  readonly unwrittenSlots: number;
  readonly undos: number;
  readonly undoneSlots: number;
  /** Slots that came after later ones. */
  readonly lateSlots: number;
  readonly refolds: number;
  readonly isRefolding: boolean;
  /** A source that follows the chain is being read. */
  readonly isFollowing: boolean;
  /** The newest slot that source knows of; null when it does not say. */
  readonly headSlot: Slot | null;
}

const LATE_SLOTS_MAX = 500;
const REFOLD_AFTER_MS = 5_000;
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
 * a tail, so what is kept of it is the state at its end.
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
  private readonly counts = { undos: 0, undoneSlots: 0, lateSlots: 0, refolds: 0 };
  private fold: Fold;
  private cursor: Cursor;
  private olderSlotCount = 0;
  /** The source that follows the chain: the tail is what it told. */
  private following: IngestionSource | null = null;
  /** Late slots on their way to the log. */
  private late: SlotFacts[] = [];
  /** Marks on their way to the ledger. */
  private marks: SlotMark[] = [];
  /** What the followed source said of slots that are not final. */
  private openMarks: SlotMark[] = [];
  private gapsNow: readonly SlotGap[] | null = null;
  private lastLateMs = 0;
  private isLateSinceRefold = false;
  private refolding: Promise<void> | null = null;
  private refoldFailure: unknown = null;

  private constructor({ store, createEngine, snapshots, nowMs = Date.now }: IngestionParts) {
    this.store = store;
    this.createEngine = createEngine;
    this.snapshots = new FoldSnapshots(snapshots);
    this.nowMs = nowMs;
    this.cursor = store.cursor.read();
    this.fold = new Fold(createEngine(null), this.cursor.epoch, nowMs);
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
    this.gapsNow ??= gapsWith(this.store.gaps, this.pendingMarks());
    return this.gapsNow;
  }

  get status(): IngestionStatus {
    const { fold, following } = this;
    const unwritten = fold.unwritten.length - fold.tailSlots.length;
    return {
      ...this.counts,
      finalSlot: fold.finalSlot < 0 ? null : (fold.finalSlot as Slot),
      tailSlots: fold.tailSlots.length,
      unwrittenSlots: unwritten,
      isRefolding: this.refolding !== null,
      isFollowing: following !== null,
      headSlot: following?.headSlot ?? null,
    };
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
    await this.mutex.run(async () => this.begin(source));
    try {
      for await (const item of source) {
        if (run.isAborted) break;
        await this.waitForChain(item, run);
        if (run.isAborted) break;
        await this.mutex.run(() => this.handle(item, run));
        await nextTurn();
      }
      await this.mutex.run(() => this.end(run));
      await this.foldLate(hooks);
    } finally {
      run.stop();
      if (this.following === source) this.following = null;
      await this.refolding?.catch(() => undefined);
    }
    return run.result;
  }

  private begin(source: IngestionSource): void {
    if (source.areBlocksFinal) return;
    if (this.following !== null) {
      throw new RangeError('a source that follows the chain is being ingested already');
    }
    // Left by a source that failed.
    this.dropTail();
    this.following = source;
  }

  private async end({ source, hooks }: IngestionRun): Promise<void> {
    if (!source.areBlocksFinal) this.dropTail();
    await this.flush();
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
    await this.flush();
    await this.keepState(hooks);
  }

  /** Holds a source of final blocks back that is ahead of what is final of the chain followed. */
  private async waitForChain(item: SourceItem, run: IngestionRun): Promise<void> {
    if (!run.source.areBlocksFinal || (item.kind !== 'block' && item.kind !== 'facts')) return;
    while (this.following !== null && slotOf(item) > this.fold.finalSlot && !run.isAborted) {
      await delay(AHEAD_POLL_MS);
    }
  }

  private async handle(item: SourceItem, run: IngestionRun): Promise<void> {
    if (this.refoldFailure !== null) throw this.refoldFailure;
    this.gapsNow = null;
    if (item.kind === 'problem') return this.countProblem(item.problem, run);
    if (item.kind === 'undo') this.undo(item.toSlot, item.toBlockhash);
    else if (item.kind === 'final') this.finalise(item.slot);
    else if (item.kind === 'missing' || item.kind === 'skipped') this.note(item, run);
    else run.count(await this.take(item, run));
    if (this.fold.isFull || this.late.length >= LATE_SLOTS_MAX || run.isWriteDue) {
      await this.flush();
      run.wrote();
    }
    await this.keepDueState(run.hooks);
    if (!run.source.areBlocksFinal) this.startRefold(run.backgroundHooks);
  }

  private countProblem(problem: SourceProblem, { problems, hooks }: IngestionRun): void {
    const { code } = problem;
    problems[code] = (problems[code] ?? 0) + 1;
    this.problemCounts[code] = (this.problemCounts[code] ?? 0) + 1;
    hooks.onProblem?.(problem);
  }

  /** Null when all of the slot's transactions are held already. */
  private async take(item: SlotItem, run: IngestionRun): Promise<SlotFacts | null> {
    const slot = slotOf(item);
    const isFinal = run.source.areBlocksFinal;
    if (slot > (this.fold.end?.slot ?? -1)) {
      const facts = factsOf(item);
      run.hooks.onSlot?.(facts);
      if (isFinal) {
        this.dropTail();
        this.fold.addFinal(facts, false);
      } else this.fold.addTail(facts);
      return facts;
    }
    if (!isFinal && slot > this.fold.finalSlot) return this.takeIntoTail(item, run);
    return this.takeLate(item, run);
  }

  /** A slot of the tail that came after later ones: those are taken back and folded after it. */
  private takeIntoTail(item: SlotItem, run: IngestionRun): SlotFacts | null {
    const slot = slotOf(item);
    const held = this.fold.tailSlots.find(({ facts }) => facts.slot === slot)?.facts;
    if (held !== undefined) {
      if (held.blockhash === blockhashOf(item)) return null;
      throw new ChainError(
        `The source gave two blocks of slot ${slot} and took neither back: ${held.blockhash} and ` +
          `${blockhashOf(item)}.`,
      );
    }
    const facts = factsOf(item);
    run.hooks.onSlot?.(facts);
    const later = this.takeBackTo(slot);
    this.fold.addTail(facts);
    for (const { facts: after } of later.reverse()) this.fold.addTail(after);
    this.counts.lateSlots++;
    return facts;
  }

  private async takeLate(item: SlotItem, run: IngestionRun): Promise<SlotFacts | null> {
    const facts = lateFacts(item, await this.findHeld(slotOf(item)));
    if (facts === null) return null;
    run.hooks.onSlot?.(facts);
    // Said before the log row exists, so that a kill in between costs a re-fold and no row.
    if (!this.cursor.isDirty) this.moveCursor({ ...this.cursor, isDirty: true });
    this.isLateSinceRefold = true;
    this.lastLateMs = performance.now();
    this.counts.lateSlots++;
    this.late.push(facts);
    this.marks.push(...marksOfLate(facts, this.nowMs()));
    return facts;
  }

  private async findHeld(slot: Slot): Promise<SlotFacts | null> {
    const isSlot = (facts: SlotFacts) => facts.slot === slot;
    const late = this.late.findLast(isSlot);
    if (late !== undefined) return late;
    const unwritten = this.fold.unwritten.find(({ facts }) => isSlot(facts));
    return unwritten?.facts ?? (await this.store.log.find(slot));
  }

  private undo(toSlot: Slot, toBlockhash: string): void {
    const { finalEnd } = this.fold;
    if (finalEnd !== null && toSlot < finalEnd.slot) {
      throw new ChainError(
        `The source takes back slots after ${toSlot}, but everything up to ${finalEnd.slot} is ` +
          'final and stored: the chain forked deeper than finality, or the source is wrong. ' +
          'Compare with another source; to go on from the other branch, replay into an empty folder.',
      );
    }
    this.counts.undos++;
    this.counts.undoneSlots += this.takeBackTo(toSlot).length;
    this.openMarks = this.openMarks.filter(({ to }) => to <= toSlot);
    const { end } = this.fold;
    if (end === null || (end.slot === toSlot && (end.blockhash ?? toBlockhash) === toBlockhash)) {
      return;
    }
    throw new ChainError(
      `The source goes back to slot ${toSlot} (${toBlockhash}), but the history held ends at ` +
        `slot ${end.slot} (${end.blockhash}).`,
    );
  }

  /** The slots after `slot` that were taken back, newest first. */
  private takeBackTo(slot: number): FoldedSlot[] {
    const taken: FoldedSlot[] = [];
    while ((this.fold.tailSlots.at(-1)?.facts.slot ?? -1) > slot) {
      const folded = this.fold.takeBack();
      if (folded !== null) taken.push(folded);
    }
    return taken;
  }

  private dropTail(): void {
    this.takeBackTo(-1);
    this.openMarks = [];
    this.gapsNow = null;
  }

  private finalise(slot: Slot): void {
    this.fold.finalise(slot);
    this.marks.push(...this.openMarks.filter(({ to }) => to <= slot));
    this.openMarks = this.openMarks.filter(({ to }) => to > slot);
  }

  private note(
    item: Extract<SourceItem, { kind: 'missing' | 'skipped' }>,
    run: IngestionRun,
  ): void {
    const { from, to } = item;
    if (item.kind === 'skipped') {
      this.keepMark({ state: 'skipped', from, to }, run);
      return;
    }
    const sinceMs = this.nowMs();
    const gap = { from, to, reason: item.reason, sinceMs, tries: 1, afterMs: null, beforeMs: null };
    this.keepMark({ ...gap, state: 'missing', isDoubt: false }, run);
    run.hooks.onMissing?.(gap);
  }

  private keepMark(mark: SlotMark, { source }: IngestionRun): void {
    const isFinal = source.areBlocksFinal || mark.to <= this.fold.finalSlot;
    (isFinal ? this.marks : this.openMarks).push(mark);
  }

  /** All that was learned of slots and is not in the ledger yet, in an order that it may be marked. */
  private pendingMarks(): SlotMark[] {
    const { marks, openMarks, fold } = this;
    return [...marks, ...openMarks, ...fold.unwritten.flatMap((folded) => folded.marks)];
  }

  private async flush(): Promise<void> {
    const { fold } = this;
    const batch = fold.take();
    const slots = [...this.late, ...batch.slots];
    const marks = [...this.marks, ...batch.marks];
    if (slots.length === 0 && batch.changes.length === 0 && marks.length === 0) return;
    if (slots.length > 0 || batch.changes.length > 0) {
      await this.store.writer.writeBatch({ epoch: fold.epoch, slots, changes: batch.changes });
    }
    this.moveCursor({ ...this.cursor, slot: fold.finalEnd?.slot ?? null }, marks);
    fold.written();
    this.late = [];
    this.marks = [];
    this.gapsNow = null;
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
        if (isUnmarked) this.marks.push(...marks);
      } else this.fold.addFinal(facts, true);
      if (this.fold.isFull || this.marks.length >= LATE_SLOTS_MAX) await this.flush();
      hooks.onFold?.(++slots);
    }
    await this.flush();
    await this.keepDueState(hooks);
  }

  /** Puts the fold where the newest snapshot is, and says from which slot on the log is left. */
  private async restore(hooks: IngestionHooks): Promise<number> {
    const restored = await this.snapshots.restore(this.cursor, this.createEngine, hooks);
    if (restored === null) return 0;
    const { engine, end, olderSlots, fromSlot } = restored;
    this.fold = new Fold(engine, this.cursor.epoch, this.nowMs, end);
    this.olderSlotCount = olderSlots;
    return fromSlot;
  }

  /** Folds late slots in when none has come for a while; beside the live fold, without waiting. */
  private startRefold(hooks: IngestionHooks): void {
    const quietMs = performance.now() - this.lastLateMs;
    if (!this.cursor.isDirty || this.refolding !== null) return;
    if (quietMs < (hooks.refoldAfterMs ?? REFOLD_AFTER_MS)) return;
    this.foldLate(hooks).catch((error: unknown) => {
      this.refoldFailure = error;
    });
  }

  /** Until the fold has seen every slot of the log in order, or the run is stopped. */
  private async foldLate(hooks: IngestionHooks): Promise<void> {
    while (this.cursor.isDirty && hooks.signal?.aborted !== true) {
      this.refolding ??= this.refold(hooks).finally(() => {
        this.refolding = null;
      });
      await this.refolding;
    }
  }

  /**
   * Folds the whole log again under a new epoch, which replaces every derived row at once when it is
   * complete. The live fold goes on meanwhile, so both states are in memory. Stopped before the end,
   * it leaves everything as it was, to be done again.
   */
  private async refold(hooks: IngestionHooks): Promise<void> {
    const { epoch } = await this.mutex.run(async () => {
      await this.flush();
      this.isLateSinceRefold = false;
      if (!this.cursor.isDirty) this.moveCursor({ ...this.cursor, isDirty: true });
      return { epoch: this.cursor.epoch + 1 };
    });
    await this.store.epochs.prepare(epoch);
    const refold = new Refold(this.store, new Fold(this.createEngine(null), epoch, this.nowMs));
    for await (const slots of refold.run()) {
      if (hooks.signal?.aborted === true) return;
      hooks.onFold?.(slots);
      await nextTurn();
    }
    await this.mutex.run(async () => {
      await this.flush();
      await refold.catchUp();
      this.replaceFold(refold);
      // Not before the cursor names this fold: one that was broken off is followed by another of
      // the same number, over a log that may hold more.
      await this.keepState(hooks);
    });
    await this.store.epochs.retireBefore(epoch);
  }

  private replaceFold({ fold, olderSlots }: Refold): void {
    const tail = this.fold.tailSlots.map(({ facts }) => facts);
    const { finalSlot } = this.fold;
    if (finalSlot >= 0) fold.finalise(finalSlot as Slot);
    for (const facts of tail) fold.addTail(facts);
    const slot = fold.finalEnd?.slot ?? null;
    this.moveCursor({ epoch: fold.epoch, slot, isDirty: this.isLateSinceRefold });
    this.fold = fold;
    this.olderSlotCount = olderSlots;
    this.snapshots.replaced();
    this.counts.refolds++;
    this.gapsNow = null;
  }

  private moveCursor(cursor: Cursor, marks: readonly SlotMark[] = []): void {
    this.store.cursor.write(cursor, marks);
    this.cursor = cursor;
  }
}
