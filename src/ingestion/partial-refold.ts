import type { Engine } from '../engine/engine.ts';
import type { Slot } from '../model/units.ts';
import { asSlot } from '../model/units.ts';
import type { Cursor } from '../store/control/cursor.ts';
import {
  type FoldLayers,
  mergedLayers,
  rowLayersOf,
  withFold,
} from '../store/control/fold-layers.ts';
import type { LayerPair } from '../store/layers.ts';
import { readLostRows, restoredRows } from '../store/lost-rows.ts';
import type { IngestionStore } from './ingestion-store.ts';
import { restoredRecords } from './restored-records.ts';
import type { ChainEnd } from './slot-marks.ts';
import { isDamage } from './state-failure.ts';

/** A state of the log as of an earlier slot. */
export interface EarlierState {
  /** Owned by the caller, which closes it. */
  readonly engine: Engine;
  /** Number of slots up to it decoded by older decoders. */
  readonly olderSlots: number;
}

/**
 * The newest state up to a slot that is also a state of the current log (`isStateOf`); null if there
 * is none. While the log does not change up to that slot, every call returns the same state.
 */
export type RestoreAt = (slot: Slot) => Promise<EarlierState | null>;

/** Where a refold of the end of the log begins, and how its rows become visible. */
export interface PartialStart extends EarlierState {
  readonly end: ChainEnd;
  readonly pair: LayerPair;
  /** The layers once the rows are complete. */
  readonly layers: FoldLayers;
}

/**
 * Restores the state before the first changed slot, for the fold `epoch`. Null if there is none or
 * the rows as of it cannot be distinguished: the whole log must be folded.
 */
export async function startBefore(
  from: Slot,
  { cursor, epoch, restoreAt }: PartialSurroundings & { readonly cursor: Cursor },
): Promise<PartialStart | null> {
  if (from === 0) return null;
  const restored = await restoreAt(asSlot(from - 1));
  if (restored === null) return null;
  const { lastSlot: slot, lastBlockhash: blockhash, timeMs } = restored.engine;
  const layers = slot === null || slot >= from ? null : withFold(cursor, epoch, slot);
  const pair = layers === null ? null : layerPairOf({ epoch, layers });
  if (slot === null || layers === null || pair === null) {
    restored.engine.close();
    return null;
  }
  return { ...restored, end: { slot, blockhash, timeMs }, layers, pair };
}

/** What a refold of the end of the log needs. */
export interface PartialSurroundings {
  /** Number of the new fold. */
  readonly epoch: number;
  readonly restoreAt: RestoreAt;
}

/** The two visible layers; null while there is one. */
export function layerPairOf(rows: Pick<Cursor, 'epoch' | 'layers'>): LayerPair | null {
  const { top, base } = rowLayersOf(rows);
  return base === null ? null : { top, base: base.epoch, through: base.through };
}

/**
 * Merges the layers that a cursor names, after which `name` must put the layer of the result into
 * the cursor of that moment; then removes the rows of all other folds.
 */
export async function mergeLayersOf(
  { epoch, layers = null }: Pick<Cursor, 'epoch' | 'layers'>,
  store: Pick<IngestionStore['layers'], 'merge' | 'retain'>,
  name: (merged: FoldLayers) => Promise<void>,
): Promise<void> {
  const pair = layerPairOf({ epoch, layers });
  const merged = layers === null ? null : mergedLayers(layers);
  if (pair !== null && merged !== null) {
    await store.merge(pair);
    await name(merged);
  }
  await store.retain(merged?.top ?? epoch);
}

/**
 * Why the rows of a refold are not complete. `impossible`: they cannot be. `moved`: they can be by a
 * refold from an earlier start, since this one is a state of the log no more or cannot be opened.
 * `damaged`: the state of the start cannot be read.
 */
export type Incomplete =
  | { readonly kind: 'impossible' }
  | { readonly kind: 'moved'; readonly startSlot: Slot }
  | { readonly kind: 'damaged'; readonly engine: Engine; readonly error: unknown };

/** Of a refold with complete rows, `done` resolves when they are in one layer. */
export type RefoldEnd = Incomplete | { readonly kind: 'merging'; readonly done: Promise<void> };

/**
 * Completes the rows of a refold that has reached the end of the log: keys that only the replaced
 * fold changed get their rows as of the start, and no key keeps visible rows in both layers. Nothing
 * may be written to either layer meanwhile. Null: the rows are complete.
 */
export async function completeRows(
  { pair, end }: PartialStart,
  store: Pick<IngestionStore, 'layers' | 'writer'>,
  { epoch, restoreAt }: PartialSurroundings,
): Promise<Incomplete | null> {
  const lost = await readLostRows(store.layers, pair);
  if (lost === null) return { kind: 'impossible' };
  if (Object.values(lost).some((rows) => rows.length > 0)) {
    const restored = await restoreAt(end.slot);
    if (restored === null) return { kind: 'impossible' };
    try {
      if (restored.engine.lastSlot !== end.slot) return { kind: 'moved', startSlot: end.slot };
      const records = restoredRecords(lost, restored.engine, end.slot);
      for (const rows of restoredRows(records, epoch, end.slot)) {
        await store.writer.writeRestored(rows);
      }
    } catch (error) {
      if (!isDamage(error)) throw error;
      return { kind: 'damaged', engine: restored.engine, error };
    } finally {
      restored.engine.close();
    }
  }
  await store.layers.cover(pair);
  return null;
}
