import { GraphError } from '../lib/graph-types.ts';
import { StoreError } from '../model/errors.ts';
import type { Slot } from '../model/units.ts';
import type { Cursor } from '../store/control/cursor.ts';
import {
  type EngineFactory,
  type EngineSnapshots,
  type RestoredEngine,
  SNAPSHOT_EVERY_SLOTS,
} from './engine-snapshots.ts';
import type { Fold } from './fold.ts';
import type { IngestionHooks } from './ingestion-run.ts';

/**
 * Which states of the fold are kept, and when. Snapshots only save time: one that cannot be used or
 * kept is told in a sentence and changes nothing else.
 */
export class FoldSnapshots {
  private readonly snapshots: EngineSnapshots | null;
  /** The last slot of the newest snapshot of this fold. */
  private keptSlot: Slot | null = null;
  /** How many slots the fold had when a snapshot was last tried. */
  private slotsAtTry = 0;

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
    this.slotsAtTry = restored.engine.counters.slots;
    return restored;
  }

  /** Enough was folded since the last one, and nothing of it may be taken back. */
  isDue({ engine, tailSlots }: Fold): boolean {
    if (this.snapshots === null || tailSlots.length > 0) return false;
    return engine.counters.slots - this.slotsAtTry >= SNAPSHOT_EVERY_SLOTS;
  }

  /**
   * Keeps the state, unless it is kept already or the store does not hold every slot of it. Nothing
   * may be folded before it returns; the cursor must name the fold, and not be dirty.
   */
  async save(fold: Fold, olderSlots: number, { onSnapshotProblem }: IngestionHooks): Promise<void> {
    const { engine, epoch } = fold;
    if (this.snapshots === null || fold.unwritten.length > 0) return;
    if (engine.lastSlot === this.keptSlot) return;
    this.slotsAtTry = engine.counters.slots;
    try {
      await this.snapshots.save(engine, epoch, olderSlots);
      this.keptSlot = engine.lastSlot;
    } catch (error) {
      if (!(error instanceof StoreError || error instanceof GraphError)) throw error;
      onSnapshotProblem?.(`The state after slot ${engine.lastSlot} is not kept: ${error.message}`);
    }
  }

  /** Another fold took the place of the one that the snapshots are of. */
  replaced(): void {
    this.snapshots?.refuseAll();
    this.keptSlot = null;
    this.slotsAtTry = 0;
  }
}
