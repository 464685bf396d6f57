import type { Slot } from '../../model/units.ts';
import { rowVersion } from '../sql/row-version.ts';
import type { RowLayers } from '../sql/visible-epoch.ts';

/** A fold that made visible rows: those of slots after `afterSlot`, up to that of the next fold. */
export interface FoldStart {
  readonly epoch: number;
  /** Null: from the first slot of the log. */
  readonly afterSlot: Slot | null;
}

/** Which folds made the visible rows, and in which layers these are. */
export interface FoldLayers {
  /** The layer of new rows. */
  readonly top: number;
  /** The layer of the rows up to the start of the newest fold; null: also `top`. */
  readonly base: number | null;
  /** Ascending by both fields. The last one is the current fold. */
  readonly folds: readonly FoldStart[];
}

/** The state of a fold after a slot. */
export interface FoldedSlotName {
  /** Number of the fold. */
  readonly epoch: number;
  readonly slot: Slot;
}

/** The part of the cursor that names the folds. Without layers all rows are of one fold. */
export interface FoldedRows {
  readonly epoch: number;
  readonly layers?: FoldLayers | null;
}

/** The oldest of more folds are forgotten: then nothing before the next can be replaced. */
const FOLDS_MAX = 64;

/** The layers that queries read. */
export function rowLayersOf(rows: FoldedRows): RowLayers {
  const { top, base, folds } = foldLayersOf(rows);
  const start = folds.at(-1)?.afterSlot ?? null;
  const through = base === null || start === null ? null : versionAt(folds.slice(0, -1), start);
  return { top, base: base === null || through === null ? null : { epoch: base, through } };
}

export function foldLayersOf({ epoch, layers }: FoldedRows): FoldLayers {
  return layers ?? { top: epoch, base: null, folds: [{ epoch, afterSlot: null }] };
}

/**
 * The rows once the fold `epoch`, whose rows are in the layer with its number, has replaced all
 * rows of slots after `afterSlot`. Null while there are two layers, and for a slot of a forgotten
 * fold.
 */
export function withFold(rows: FoldedRows, epoch: number, afterSlot: Slot): FoldLayers | null {
  const { top, base, folds } = foldLayersOf(rows);
  const earlier = folds.filter((fold) => fold.afterSlot === null || fold.afterSlot <= afterSlot);
  if (base !== null || earlier.length === 0) return null;
  return { top: epoch, base: top, folds: [...earlier, { epoch, afterSlot }].slice(-FOLDS_MAX) };
}

/** The rows once the top layer is merged into the base layer. */
export function mergedLayers({ top, base, folds }: FoldLayers): FoldLayers {
  return { top: base ?? top, base: null, folds };
}

/**
 * Whether the state of a fold after a slot is a state of the visible rows too: false for a fold that
 * was replaced before that slot. A state that was saved earlier can be continued only if it is.
 */
export function isStateOf(rows: FoldedRows, epoch: number, slot: Slot): boolean {
  const { folds } = foldLayersOf(rows);
  const at = folds.findIndex((fold) => fold.epoch === epoch);
  if (at < 0) return false;
  const end = folds[at + 1]?.afterSlot ?? null;
  return end === null || slot <= end;
}

/**
 * The newest slot up to `slot` after which the state of a fold is one of the visible rows too; null
 * if there is none, or the fold is forgotten.
 */
export function lastSharedSlot(rows: FoldedRows, { epoch, slot }: FoldedSlotName): Slot | null {
  const { folds } = foldLayersOf(rows);
  const at = folds.findIndex((fold) => fold.epoch === epoch);
  if (at < 0) return null;
  const end = folds[at + 1]?.afterSlot ?? slot;
  return end < slot ? end : slot;
}

/**
 * The first slot after which every one of a few further folds can begin, however many folds they
 * forget; null: any slot.
 */
export function firstFoldStart(rows: FoldedRows, furtherFolds: number): Slot | null {
  const { folds } = foldLayersOf(rows);
  const forgotten = Math.max(0, folds.length - (FOLDS_MAX - furtherFolds));
  return folds[forgotten]?.afterSlot ?? null;
}

/** The version of the newest row as of a slot; null for a slot of a forgotten fold. */
function versionAt(folds: readonly FoldStart[], slot: Slot): string | null {
  const fold = folds.findLast(({ afterSlot }) => afterSlot === null || afterSlot <= slot);
  return fold === undefined ? null : rowVersion(fold.epoch, slot);
}
