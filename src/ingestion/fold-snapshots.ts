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
 * Thresholds for starting a shadow fold. After a crash, this many slots plus those applied while it
 * ran are folded at the next start, in a few seconds. Each shadow fold reads and writes the whole
 * state once in its process.
 */
export const SHADOW_EVERY_SLOTS = 1_250;
const SHADOW_EVERY_SWAPS = 125_000;

/** Retry delay after a transient failure. */
const RETRY_MS = 5_000;

/** Parameters of a shadow fold. */
export interface ShadowPlan {
  readonly start: ShadowStart;
  /** The part of the log to fold, both ends inclusive. */
  readonly fromSlot: number;
  readonly toSlot: Slot;
}

/**
 * Decides when states of the fold are saved. Snapshots only save time: if one cannot be used or
 * saved, this is reported and has no other effect.
 */
export class FoldSnapshots {
  private readonly snapshots: EngineSnapshots | null;
  /** The last slot of the newest snapshot of this fold. */
  private keptSlot: Slot | null = null;
  /** Number of slots and swaps of the fold at the last attempt. */
  private atTry = { slots: 0, swaps: 0 };
  /** Time of the next attempt after a failure; null without one. */
  private retryAtMs: number | null = null;

  /** Null to save no snapshots; every start then folds the whole log. */
  constructor(snapshots: EngineSnapshots | null) {
    this.snapshots = snapshots;
  }

  /** The saved state; null if the log must be folded from its start. */
  async restore(
    cursor: Cursor,
    createEngine: EngineFactory,
    { onSnapshotProblem }: IngestionHooks,
  ): Promise<RestoredEngine | null> {
    const report = (sentence: string) => onSnapshotProblem?.(sentence);
    const restored = await this.snapshots?.restore(cursor, createEngine, report);
    if (restored === undefined || restored === null) return null;
    this.keptSlot = restored.end.slot;
    this.atTry = sizeOf(restored.engine);
    return restored;
  }

  /** Whether enough slots were folded since the last snapshot and none of them can be reverted. */
  isDue({ engine, tailSlots }: Fold): boolean {
    if (this.snapshots === null || tailSlots.length > 0) return false;
    if (this.retryAtMs !== null) return performance.now() >= this.retryAtMs;
    return engine.counters.slots - this.atTry.slots >= SNAPSHOT_EVERY_SLOTS;
  }

  /**
   * Saves the state, unless it is saved already or contains unwritten slots. Nothing may be folded
   * until it returns; the cursor must be of this fold and not dirty.
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
   * Records a failure; a transient one is retried soon rather than after the usual number of slots.
   * Returns whether it is the first in a row, which is reported.
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
   * The shadow fold to start now, while there are revertible slots; null if it is too early. The
   * caller must attempt it: the next one is due after the same number of slots.
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

  /** Adopts the snapshot of a shadow fold; the cursor must be of the same fold and not dirty. */
  async keep(draft: SnapshotDraft): Promise<void> {
    await this.snapshots?.keep(draft);
    this.kept(draft.head.slot);
  }

  /** Discards a damaged newest snapshot: the next one is made from the whole log. */
  refuseNewest(): void {
    this.snapshots?.refuseNewest();
    this.keptSlot = null;
  }

  /** Discards all snapshots after the fold was replaced. */
  replaced(): void {
    this.snapshots?.refuseAll();
    this.kept(null);
    this.atTry = { slots: 0, swaps: 0 };
  }
}

function sizeOf({ counters }: Fold['engine']): { readonly slots: number; readonly swaps: number } {
  return { slots: counters.slots, swaps: counters.events.swap };
}
