import { setImmediate as nextTurn } from 'node:timers/promises';
import { decodeBlock } from './decoders/decode-block.ts';
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
  readonly onSlot?: (facts: SlotFacts) => void;
  /** The log is being folded: `slots` so far. */
  readonly onFold?: (slots: number) => void;
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
  private current: Engine;
  private cursor: Cursor;
  private facts: SlotFacts[] = [];
  private changes: SlotChanges[] = [];
  private pendingTransactions = 0;

  private constructor(store: IngestionStore, createEngine: () => Engine) {
    this.store = store;
    this.createEngine = createEngine;
    this.current = createEngine();
    this.cursor = store.cursor.read();
  }

  /** Rebuilds the state from the log, finishing whatever an interrupted run left undone. */
  static async open(
    store: IngestionStore,
    createEngine: () => Engine,
    hooks: IngestionHooks = {},
  ): Promise<Ingestion> {
    const ingestion = new Ingestion(store, createEngine);
    if (ingestion.cursor.isDirty) await ingestion.refold(hooks);
    else await ingestion.foldLog(hooks);
    return ingestion;
  }

  /** The engine that holds the current state. Replaced as a whole when the log is folded again. */
  get engine(): Engine {
    return this.current;
  }

  get epoch(): number {
    return this.cursor.epoch;
  }

  /** Folds everything the source yields; late slots are put in their place at the end. */
  async ingest(
    source: AsyncIterable<SourceItem>,
    hooks: IngestionHooks = {},
  ): Promise<IngestionResult> {
    const tally = { slotsAdded: 0, slotsKnown: 0, transactionsAdded: 0 };
    const problems: Record<string, number> = {};
    for await (const item of source) {
      if (hooks.signal?.aborted === true) break;
      if (item.kind === 'problem') {
        problems[item.problem.code] = (problems[item.problem.code] ?? 0) + 1;
        hooks.onProblem?.(item.problem);
        continue;
      }
      const added = await this.takeBlock(item.block, hooks);
      tally.slotsAdded += added === null ? 0 : 1;
      tally.slotsKnown += added === null ? 1 : 0;
      tally.transactionsAdded += added?.transactions.length ?? 0;
      await nextTurn();
    }
    await this.flush();
    if (this.cursor.isDirty && hooks.signal?.aborted !== true) await this.refold(hooks);
    return { ...tally, problems };
  }

  /** Null when the log already holds all of the block. */
  private async takeBlock(block: ChainBlock, hooks: IngestionHooks): Promise<SlotFacts | null> {
    const last = this.current.lastSlot;
    if (last === null || block.slot > last) {
      const facts = decodeBlock(block);
      hooks.onSlot?.(facts);
      this.facts.push(facts);
      await this.fold(facts);
      return facts;
    }
    const facts = await this.lateFacts(block);
    if (facts === null) return null;
    hooks.onSlot?.(facts);
    // Said before the log row exists, so that a kill in between costs a re-fold and no row.
    if (!this.cursor.isDirty) this.moveCursor({ ...this.cursor, isDirty: true });
    this.facts.push(facts);
    this.pendingTransactions += facts.transactions.length;
    if (this.isBatchFull()) await this.flush();
    return facts;
  }

  /** What the log should say of a slot at or before the last one, null when it says it already. */
  private async lateFacts(block: ChainBlock): Promise<SlotFacts | null> {
    const held = await this.store.log.find(block.slot);
    if (held === null) return decodeBlock(block);
    if (held.isWhole) return null;
    if (block.isWhole) return decodeBlock(block);
    const known = new Set(held.transactions.map((transaction) => transaction.signature));
    const transactions = block.transactions.filter(({ signature }) => !known.has(signature));
    if (transactions.length === 0) return null;
    return mergeSlotFacts(held, decodeBlock({ ...block, transactions }));
  }

  private async fold(facts: SlotFacts): Promise<void> {
    this.changes.push(this.current.apply(facts));
    this.pendingTransactions += facts.transactions.length;
    if (this.isBatchFull()) await this.flush();
  }

  private isBatchFull(): boolean {
    return (
      Math.max(this.facts.length, this.changes.length) >= BATCH_SLOTS_MAX ||
      this.pendingTransactions >= BATCH_TRANSACTIONS_MAX
    );
  }

  private async flush(): Promise<void> {
    const { facts, changes } = this;
    if (facts.length === 0 && changes.length === 0) return;
    this.facts = [];
    this.changes = [];
    this.pendingTransactions = 0;
    await this.store.writer.writeBatch({ epoch: this.cursor.epoch, slots: facts, changes });
    this.moveCursor({ ...this.cursor, slot: this.current.lastSlot });
  }

  /** State from the log; rows of slots beyond the cursor are written again. */
  private async foldLog(hooks: IngestionHooks): Promise<void> {
    const written = this.cursor.slot;
    let slots = 0;
    for await (const facts of this.store.log.read()) {
      if (written !== null && facts.slot <= written) this.current.apply(facts);
      else await this.fold(facts);
      hooks.onFold?.(++slots);
    }
    await this.flush();
  }

  /** Folds the whole log again under a new epoch, which replaces every derived row. */
  private async refold(hooks: IngestionHooks): Promise<void> {
    const epoch = this.cursor.epoch + 1;
    await this.store.epochs.prepare(epoch);
    const engine = this.createEngine();
    let slots = 0;
    let changes: SlotChanges[] = [];
    for await (const facts of this.store.log.read()) {
      changes.push(engine.apply(facts));
      hooks.onFold?.(++slots);
      if (changes.length < BATCH_SLOTS_MAX) continue;
      await this.store.writer.writeBatch({ epoch, slots: [], changes });
      changes = [];
      await nextTurn();
    }
    await this.store.writer.writeBatch({ epoch, slots: [], changes });
    this.moveCursor({ epoch, slot: engine.lastSlot, isDirty: false });
    this.current = engine;
    await this.store.epochs.retireBefore(epoch);
  }

  private moveCursor(cursor: Cursor): void {
    this.store.cursor.write(cursor);
    this.cursor = cursor;
  }
}
