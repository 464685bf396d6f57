import type { Slot } from '../../model/units.ts';

/**
 * The fold whose rows are returned. Rows of a new fold stay invisible while it is written; once it
 * is complete the cursor moves to it and every read uses it.
 */
export interface VisibleEpoch {
  /** Number of the fold. */
  readonly epoch: number;
  /** Where its rows are; if omitted, in the layer with its number. */
  readonly layers?: RowLayers;
}

/** The fold whose rows are returned, and the slot up to which they are complete. */
export interface VisibleRows extends VisibleEpoch {
  readonly slot: Slot | null;
}

/**
 * The visible layers. A layer is the set of rows with one value of the column `epoch`; a key has
 * visible rows in one layer only (docs/decisions/0046-partial-refold.md).
 */
export interface RowLayers {
  /** All rows of this layer are visible. */
  readonly top: number;
  readonly base: BaseLayer | null;
}

/** A layer of which only the rows up to a version are visible. */
export interface BaseLayer {
  readonly epoch: number;
  /** The last visible version. */
  readonly through: string;
}

export function layersOf({ epoch, layers }: VisibleEpoch): RowLayers {
  return layers ?? { top: epoch, base: null };
}

/** The condition of a query for visible rows of the table; `EpochReads` completes it. */
export const IS_VISIBLE = 'epoch = {epoch:UInt32}';

const IN_BASE = 'epoch = {base:UInt32} AND version <= {through:UInt64}';

/** A query of all visible rows. */
export function ofVisible(sql: string, { base }: RowLayers): string {
  return base === null ? sql : sql.replaceAll(IS_VISIBLE, `(${IS_VISIBLE} OR ${IN_BASE})`);
}

/** A query of the visible rows of the base layer. */
export function ofBase(sql: string): string {
  return sql.replaceAll(IS_VISIBLE, IN_BASE);
}

/** The parameters of these conditions. */
export function paramsOf({ top, base }: RowLayers): Record<string, number | string> {
  if (base === null) return { epoch: top };
  return { epoch: top, base: base.epoch, through: base.through };
}
