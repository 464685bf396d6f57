import { setImmediate as nextTurn } from 'node:timers/promises';
import { decodeBlock } from './decoders/decode-block.ts';
import { DECODER_VERSION } from './decoders/registry.ts';
import type { Engine } from './engine/engine.ts';
import { mergeSlotFacts } from './engine/merge-slot-facts.ts';
import type { SlotChanges } from './model/derived.ts';
import type { SourceProblem } from './model/errors.ts';
import type { SlotFacts } from './model/slot-facts.ts';
import type { ChainBlock } from './model/transaction.ts';
import type { SourceItem } from './sources/source.ts';
import type { Cursor } from './store/control/cursor.ts';
import type { Store } from './store/store.ts';

/** What ingestion needs of the store. */
export type IngestionStore = Pick<Store, 'log' | 'writer' | 'epochs' | 'cursor'>;

export interface IngestionHooks {
  readonly onProblem?: (problem: SourceProblem) => void;
  /** Each slot that was decoded, before it is folded. */
  readonly onSlot?: (facts: SlotFacts) => void;
  /** The log is being folded: `slots` so far. */
  readonly onFold?: (slots: number) => void;
  /**
   * For sources that follow a chain: rows are written with the first slot that comes this long after
   * the last write, however few they are. Without it a batch is written when it is full.
   */
  readonly writeAfterMs?: number;
  readonly signal?: AbortSignal;
}

/** What one run of `ingest` did. */
export interface IngestionResult {
  readonly slotsAdded: number;
  readonly slotsKnown: number;
  readonly transactionsAdded: number;
  readonly problems: Readonly<Record<string, number>>;
}

/** A batch is written when it holds this many slots or transactions. */
const BATCH_SLOTS_MAX = 500;
const BATCH_TRANSACTIONS_MAX = 5_000;

/**
 * Moves slots from a source through decoders and engine into the store, in batches: log rows,
 * derived rows, then the cursor. A kill at any point loses nothing: what the log holds beyond the
 * cursor is folded at the next start, what it does not hold is read from the source again.
 */
export class Ingestion {
  private readonly store: IngestionStore;
  private readonly createEngine: () => Engine;
  private readonly problemCounts: Record<string, number> = {};
  private current: Engine;
  private olderSlotCount = 0;
  private cursor: Cursor;
  private facts: SlotFacts[] = [];
  private readonly batch = new ChangeBatch();

  private constructor(store: IngestionStore, createEngine: () => Engine) {
    this.store = store;
    this.createEngine = createEngine;
    this.current = createEngine();
    this.cursor = store.cursor.read();
  }

  /**
   * Rebuilds the state from the log, finishing whatever an interrupted run left undone. `rules` says
   * in words what the engine's answers depend on beside the log: rows that were folded by other
   * rules are folded again.
   */
  static async open(
    store: IngestionStore,
    createEngine: () => Engine,
    rules: string,
    hooks: IngestionHooks = {},
  ): Promise<Ingestion> {
    const ingestion = new Ingestion(store, createEngine);
    const { isDirty, slot } = store.cursor.read();
    const areRulesKept = slot === null || store.cursor.readRules() === rules;
    if (isDirty || !areRulesKept) await ingestion.refold(hooks);
    else await ingestion.foldLog(hooks);
    store.cursor.writeRules(rules);
    return ingestion;
  }

  /** The engine that holds the current state. Replaced as a whole when the log is folded again. */
  get engine(): Engine {
    return this.current;
  }

  /** Slots of the log that older decoders read: their records should be offered again. */
  get olderSlots(): number {
    return this.olderSlotCount;
  }

  /** Parts of the input that could not be used since the start, by code. */
  get problems(): Readonly<Record<string, number>> {
    return this.problemCounts;
  }

  /** Folds everything the source yields; late slots are put in their place at the end. */
  async ingest(
    source: AsyncIterable<SourceItem>,
    hooks: IngestionHooks = {},
  ): Promise<IngestionResult> {
    const tally = { slotsAdded: 0, slotsKnown: 0, transactionsAdded: 0 };
    const problems: Record<string, number> = {};
    const { writeAfterMs = Number.POSITIVE_INFINITY } = hooks;
    let lastWriteMs = performance.now();
    for await (const item of source) {
      if (hooks.signal?.aborted === true) break;
      if (item.kind === 'problem') {
        const { code } = item.problem;
        problems[code] = (problems[code] ?? 0) + 1;
        this.problemCounts[code] = (this.problemCounts[code] ?? 0) + 1;
        hooks.onProblem?.(item.problem);
        continue;
      }
      const added = await this.take(item, hooks);
      tally.slotsAdded += added === null ? 0 : 1;
      tally.slotsKnown += added === null ? 1 : 0;
      tally.transactionsAdded += added?.transactions.length ?? 0;
      if (performance.now() - lastWriteMs >= writeAfterMs) {
        await this.flush();
        lastWriteMs = performance.now();
      }
      await nextTurn();
    }
    await this.flush();
    if (this.cursor.isDirty && hooks.signal?.aborted !== true) await this.refold(hooks);
    return { ...tally, problems };
  }

  /** Null when the log already holds all of the slot's transactions. */
  private async take(item: SlotItem, hooks: IngestionHooks): Promise<SlotFacts | null> {
    const last = this.current.lastSlot;
    const slot = item.kind === 'facts' ? item.facts.slot : item.block.slot;
    if (last === null || slot > last) {
      const facts = factsOf(item);
      hooks.onSlot?.(facts);
      this.facts.push(facts);
      await this.fold(facts);
      return facts;
    }
    const facts = await this.lateFacts(item);
    if (facts === null) return null;
    hooks.onSlot?.(facts);
    // Said before the log row exists, so that a kill in between costs a re-fold and no row.
    if (!this.cursor.isDirty) this.moveCursor({ ...this.cursor, isDirty: true });
    this.facts.push(facts);
    if (this.facts.length >= BATCH_SLOTS_MAX) await this.flush();
    return facts;
  }

  /** What the log should say of a slot at or before the last one, null when it says it already. */
  private async lateFacts(item: SlotItem): Promise<SlotFacts | null> {
    const offered = item.kind === 'facts' ? item.facts : item.block;
    const held = await this.store.log.find(offered.slot);
    if (held === null) return factsOf(item);
    const isOlder = held.decoderVersion < DECODER_VERSION;
    if (held.isWhole) return isOlder && offered.isWhole ? factsOf(item) : null;
    if (item.kind === 'facts' || offered.isWhole) return factsOf(item);
    if (isOlder && holdsAll(item.block, held)) return factsOf(item);
    const known = new Set(held.transactions.map((transaction) => transaction.signature));
    const transactions = item.block.transactions.filter(({ signature }) => !known.has(signature));
    if (transactions.length === 0) return null;
    return mergeSlotFacts(held, decodeBlock({ ...item.block, transactions }));
  }

  private async fold(facts: SlotFacts): Promise<void> {
    this.batch.add(this.current.apply(facts), facts.transactions.length);
    if (this.batch.isFull || this.facts.length >= BATCH_SLOTS_MAX) await this.flush();
  }

  private async flush(): Promise<void> {
    const { facts } = this;
    const changes = this.batch.take();
    if (facts.length === 0 && changes.length === 0) return;
    this.facts = [];
    await this.store.writer.writeBatch({ epoch: this.cursor.epoch, slots: facts, changes });
    this.moveCursor({ ...this.cursor, slot: this.current.lastSlot });
  }

  /** State from the log; rows of slots beyond the cursor are written again. */
  private async foldLog(hooks: IngestionHooks): Promise<void> {
    const written = this.cursor.slot;
    let slots = 0;
    for await (const facts of this.store.log.read()) {
      if (facts.decoderVersion < DECODER_VERSION) this.olderSlotCount++;
      if (written !== null && facts.slot <= written) this.current.apply(facts);
      else await this.fold(facts);
      hooks.onFold?.(++slots);
    }
    await this.flush();
  }

  /**
   * Folds the whole log again under a new epoch, which replaces every derived row at once when it is
   * complete. Stopped before that, it leaves everything as it was, to be done again.
   */
  private async refold(hooks: IngestionHooks): Promise<void> {
    const epoch = this.cursor.epoch + 1;
    if (!this.cursor.isDirty) this.moveCursor({ ...this.cursor, isDirty: true });
    await this.store.epochs.prepare(epoch);
    const engine = this.createEngine();
    const batch = new ChangeBatch();
    let slots = 0;
    let olderSlots = 0;
    for await (const facts of this.store.log.read()) {
      if (hooks.signal?.aborted === true) return;
      if (facts.decoderVersion < DECODER_VERSION) olderSlots++;
      batch.add(engine.apply(facts), facts.transactions.length);
      if (batch.isFull) {
        await this.store.writer.writeBatch({ epoch, slots: [], changes: batch.take() });
      }
      hooks.onFold?.(++slots);
      await nextTurn();
    }
    await this.store.writer.writeBatch({ epoch, slots: [], changes: batch.take() });
    this.moveCursor({ epoch, slot: engine.lastSlot, isDirty: false });
    this.current = engine;
    this.olderSlotCount = olderSlots;
    await this.store.epochs.retireBefore(epoch);
  }

  private moveCursor(cursor: Cursor): void {
    this.store.cursor.write(cursor);
    this.cursor = cursor;
  }
}

/** An item that is a slot. Facts are those of a whole block. */
type SlotItem = Exclude<SourceItem, { readonly kind: 'problem' }>;

function factsOf(item: SlotItem): SlotFacts {
  return item.kind === 'facts' ? item.facts : decodeBlock(item.block);
}

/** What folded slots changed, until it is worth a write. */
class ChangeBatch {
  private changes: SlotChanges[] = [];
  private transactions = 0;

  add(changes: SlotChanges, transactions: number): void {
    this.changes.push(changes);
    this.transactions += transactions;
  }

  get isFull(): boolean {
    return this.changes.length >= BATCH_SLOTS_MAX || this.transactions >= BATCH_TRANSACTIONS_MAX;
  }

  take(): SlotChanges[] {
    const { changes } = this;
    this.changes = [];
    this.transactions = 0;
    return changes;
  }
}

function holdsAll(block: ChainBlock, held: SlotFacts): boolean {
  const offered = new Set(block.transactions.map(({ signature }) => signature));
  return held.transactions.every(({ signature }) => offered.has(signature));
}
