import { rowLayout } from '../../lib/row-layout.ts';
import type { RowTable } from '../../lib/row-table.ts';

/** A mint that was not traded for longer is forgotten. */
const FORGET_AFTER_MS = 7 * 86_400_000;

/**
 * `lastMs`: last trade, or first entry of an untraded mint. Logs are numbers plus one, 0 for none.
 */
export const MINT_LAYOUT = rowLayout({
  lastMs: 'f64',
  mint: 'u32',
  older: 'u32',
  newer: 'u32',
  trades: 'u32',
  transfers: 'u32',
  liquidity: 'u32',
  locks: 'u32',
  isTraded: 'u8',
});
const MINT = MINT_LAYOUT.fields;

/** Adds the row of a mint that was not traded yet, in no queue and without logs. */
export function addMint(mints: RowTable, id: number, timeMs: number): number {
  const row = mints.add();
  mints.setNumber(row, MINT.mint, id);
  mints.setNumber(row, MINT.lastMs, timeMs);
  return row;
}

/** Whether a mint was not traded for a week. */
export function isIdle(mints: RowTable, row: number, timeMs: number): boolean {
  return timeMs - mints.number(row, MINT.lastMs) > FORGET_AFTER_MS;
}
