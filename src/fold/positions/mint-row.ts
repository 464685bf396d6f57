import { rowLayout } from '../../lib/row-layout.ts';
import type { RowTable } from '../../lib/row-table.ts';

/** The data of a mint that its positions need. */
export const MINT_LAYOUT = rowLayout({
  /** The first known logical time of the mint, in milliseconds; 0 until one is known. */
  originMs: 'f64',
  /** The row of its newest position plus one, 0 for none. */
  newest: 'u32',
});

const { originMs, newest } = MINT_LAYOUT.fields;

/** Seconds since the mint's origin. If the mint has no origin yet, `timeMs` becomes the origin. */
export function secondsSinceOrigin(mints: RowTable, row: number, timeMs: number): number {
  const origin = mints.number(row, originMs);
  if (origin !== 0) return (timeMs - origin) / 1_000;
  mints.setNumber(row, originMs, timeMs);
  return 0;
}

/** Links a position in front of the others of its mint. Returns the next link, 0 for none. */
export function putFirst(mints: RowTable, row: number, position: number): number {
  const next = mints.number(row, newest);
  mints.setNumber(row, newest, position + 1);
  return next;
}
