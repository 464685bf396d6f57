import type { Cell } from '../sql/cell.ts';

/** Converts one kind of record to rows of one table. */
export interface RowWriter<Stored> {
  readonly table: string;
  /** Two records with the same key are the same row within an epoch. */
  readonly key: (stored: Stored) => string;
  /** The columns, except `epoch` and `version`. */
  readonly columns: { readonly [column: string]: (stored: Stored) => Cell };
}
