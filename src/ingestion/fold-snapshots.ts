import { GraphError } from '../lib/graph-types.ts';
import { isTransientError } from '../lib/transient-error.ts';
import { StoreError } from '../model/errors.ts';
import type { Slot } from '../model/units.ts';
import type { Cursor } from '../store/control/cursor.ts';
import type { SnapshotDraft } from '../store/snapshots/snapshots.ts';
import {
  type EngineFactory,
  type EngineSnapshots,
  type RestoredEngine,
  SNAPSHOT_EVERY_SLOTS,
} from './engine-snapshots.ts';
import type { Fold } from './fold.ts';
import type { IngestionHooks } from './ingestion-run.ts';
import type { ShadowStart } from './shadow-fold.ts';

/**
 * When a shadow fold begins: after a kill so many slots, and what came while it ran, are folded at the
 * next start, in a few seconds. Each costs one reading and writing of the whole state in its process.
 */
export const SHADOW_EVERY_SLOTS = 1_250;
const SHADOW_EVERY_SWAPS = 125_000;

/** After one that could not be kept for a reason that may pass. */
const RETRY_MS = 5_000;

/** What a shadow fold is to do. */
export interface ShadowPlan {
  readonly start: ShadowStart;
  /** The part of the log that is to be folded, both ends included. */
  readonly fromSlot: number;
  readonly toSlot: Slot;
}

/**
 * Which states of the fold are kept, and when. Snapshots only save time: one that cannot be used or
 * kept is told in a sentence and changes nothing else.
 */
export class FoldSnapshots {
  private readonly snapshots: EngineSnapshots | null;
  /** The last slot of the newest snapshot of this fold. */
  private keptSlot: Slot | null = null;
  /** How many slots and swaps the fold had when a snapshot was last tried. */
  private atTry = { slots: 0, swaps: 0 };
  /** When the one that could not be kept is tried again; null while none waits. */
  private retryAtMs: number | null = null;

  /** Null: nothing is kept, and every start folds the whole log. */
  constructor(snapshots: EngineSnapshots | null) {
    this.snapshots = snapshots;
  }

  /** The state to go on from; null where the log is to be folded from its start. */
  async restore(
    cursor: Cursor,
    createEngine: EngineFactory,
    { onSnapshotProblem }: IngestionHooks,
  ): Promise<RestoredEngine | null> {
    const tell = (sentence: string) => onSnapshotProblem?.(sentence);
    const restored = await this.snapshots?.restore(cursor, createEngine, tell);
    if (restored === undefined || restored === null) return null;
    this.keptSlot = restored.end.slot;
    this.atTry = sizeOf(restored.engine);
    return restored;
  }

  /** Enough was folded since the last one, and nothing of it may be taken back. */
  isDue({ engine, tailSlots }: Fold): boolean {
    if (this.snapshots === null || tailSlots.length > 0) return false;
    if (this.retryAtMs !== null) return performance.now() >= this.retryAtMs;
    return engine.counters.slots - this.atTry.slots >= SNAPSHOT_EVERY_SLOTS;
  }

  /**
   * Keeps the state, unless it is kept already or the store does not hold every slot of it. Nothing
   * may be folded before it returns; the cursor must name the fold, and not be dirty.
   */
  async save(fold: Fold, olderSlots: number, { onSnapshotProblem }: IngestionHooks): Promise<void> {
    const { engine, epoch } = fold;
    if (this.snapshots === null || fold.unwritten.length > 0) return;
    if (engine.lastSlot === this.keptSlot) return;
    this.atTry = sizeOf(engine);
    try {
      await this.snapshots.save(engine, epoch, olderSlots);
      this.kept(engine.lastSlot);
    } catch (error) {
      if (!(error instanceof StoreError || error instanceof GraphError)) throw error;
      const isFirst = this.failed(error);
      const sentence = `The state after slot ${engine.lastSlot} is not kept: ${error.message}`;
      if (isFirst) onSnapshotProblem?.(sentence);
    }
  }

  /**
   * One could not be kept: where that may pass, the next comes soon, and not after as many slots again.
   * Returns whether it is the first in a row, which is worth a word.
   */
  failed(error: Error): boolean {
    const isFirst = this.retryAtMs === null;
    this.retryAtMs = isTransientError(error) ? performance.now() + RETRY_MS : null;
    return isFirst;
  }

  private kept(slot: Slot | null): void {
    this.keptSlot = slot;
    this.retryAtMs = null;
  }

  /**
   * What a shadow fold is to do now, while slots are held that may be taken back; null when it is
   * too early. Whoever asks tries it: the next one comes after as many slots again.
   */
  planShadow({ engine, tailSlots }: Fold, { epoch, slot, isDirty }: Cursor): ShadowPlan | null {
    const { snapshots, atTry, keptSlot } = this;
    const shadow = snapshots?.shadow ?? null;
    if (snapshots === null || shadow === null || tailSlots.length === 0) return null;
    if (isDirty || slot === null || slot === keptSlot) return null;
    const { everySlots = SHADOW_EVERY_SLOTS, everySwaps = SHADOW_EVERY_SWAPS } = shadow;
    const size = sizeOf(engine);
    const isDue =
      this.retryAtMs === null
        ? size.slots - atTry.slots >= everySlots || size.swaps - atTry.swaps >= everySwaps
        : performance.now() >= this.retryAtMs;
    if (!isDue) return null;
    this.atTry = size;
    const start = snapshots.shadowStart(shadow, epoch);
    return { start, fromSlot: start.base === null ? 0 : (keptSlot ?? -1) + 1, toSlot: slot };
  }

  /** Keeps what a shadow fold wrote; the cursor must name the same fold, and not be dirty. */
  async keep(draft: SnapshotDraft): Promise<void> {
    await this.snapshots?.keep(draft);
    this.kept(draft.head.slot);
  }

  /** The newest snapshot turned out to be damaged: the next one is made from the whole log. */
  refuseNewest(): void {
    this.snapshots?.refuseNewest();
    this.keptSlot = null;
  }

  /** Another fold took the place of the one that the snapshots are of. */
  replaced(): void {
    this.snapshots?.refuseAll();
    this.kept(null);
    this.atTry = { slots: 0, swaps: 0 };
  }
}

function sizeOf({ counters }: Fold['engine']): { readonly slots: number; readonly swaps: number } {
  return { slots: counters.slots, swaps: counters.events.swap };
}
