import { rowLayout } from '../../lib/row-layout.ts';
import type { RowTable } from '../../lib/row-table.ts';

/** A mint as its positions need it. */
export const MINT_LAYOUT = rowLayout({
  /** The first logical time that is known of it, in milliseconds; 0 before any is. */
  originMs: 'f64',
  /** One more than the row of its newest position, 0 for none. */
  newest: 'u32',
});

const { originMs, newest } = MINT_LAYOUT.fields;

/** Seconds since the mint's origin, which `timeMs` becomes where none is known. */
export function secondsSinceOrigin(mints: RowTable, row: number, timeMs: number): number {
  const origin = mints.number(row, originMs);
  if (origin !== 0) return (timeMs - origin) / 1_000;
  mints.setNumber(row, originMs, timeMs);
  return 0;
}

/** Puts a position before the others of its mint; gives the link to the next one, 0 for none. */
export function putFirst(mints: RowTable, row: number, position: number): number {
  const next = mints.number(row, newest);
  mints.setNumber(row, newest, position + 1);
  return next;
}
