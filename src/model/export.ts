import type { AskedAuthors } from './rule-hit-page.ts';
import type { Address, Slot } from './units.ts';

/** What can be exported: one table each. */
export const EXPORT_KINDS = ['trades', 'candles', 'indicators', 'findings', 'signals'] as const;
export type ExportKind = (typeof EXPORT_KINDS)[number];

/** How the rows are written. */
export const EXPORT_FORMATS = ['csv', 'parquet'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** The rows of an export. Null: of all tokens, of all pools. */
export interface ExportQuery {
  readonly kind: ExportKind;
  readonly format: ExportFormat;
  readonly mint: Address | null;
  /** Null for findings. */
  readonly pool: Address | null;
  readonly fromMs: number;
  /** Exclusive. */
  readonly toMs: number;
  /** Of signals: whose to export. Null: the built-in ones alone. */
  readonly authors: AskedAuthors | null;
}

/** What all portions of an export are read as of. */
export interface ExportPoint {
  /** Rows of later slots are left out. */
  readonly throughSlot: Slot;
  /** Number of the fold that the rows are of. */
  readonly epoch: number;
}

export interface ExportBeginning {
  /** Null before the first stored slot: then there are no rows. */
  readonly point: ExportPoint | null;
  /** Names of the columns. */
  readonly columns: readonly string[];
  /** A Parquet file without rows, for its schema; null for other formats. */
  readonly empty: Uint8Array | null;
}

export interface PortionQuery extends ExportQuery, ExportPoint {
  /** Rows after this one, in the order of the export; null for the first portion. */
  readonly after: ExportPosition | null;
}

/** The sort key of a row, as text. */
export type ExportPosition = readonly string[];

/** Consecutive rows of an export. */
export interface ExportPortion {
  /**
   * CSV: a line in UTF-8 for each row, without the header; each ends with a line feed. Parquet: a file
   * of these rows; empty without rows.
   */
  readonly bytes: Uint8Array;
  readonly rows: number;
  /** The lowest and highest slot of the rows; null without rows. */
  readonly firstSlot: Slot | null;
  readonly lastSlot: Slot | null;
  /** The last row; null if there are no rows after it. */
  readonly next: ExportPosition | null;
}
