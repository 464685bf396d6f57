import type { Cell } from '../sql/cell.ts';

/** How one kind of record becomes rows of one table. */
export interface RowWriter<Stored> {
  readonly table: string;
  /** What makes two records the same row, less the epoch. */
  readonly key: (stored: Stored) => string;
  /** Column by column, besides `epoch` and `version`. */
  readonly columns: { readonly [column: string]: (stored: Stored) => Cell };
}
