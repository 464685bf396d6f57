import { setImmediate as nextTurn } from 'node:timers/promises';
import { StoreError } from '../../model/errors.ts';

/** A value for a column: wide integers as text, null as SQL NULL. */
export type Cell = string | number | boolean | null;

/** One row in the format of `encodeRowsInTurns`. */
export function encodeRow(cells: readonly Cell[]): Buffer {
  return Buffer.from(JSON.stringify(cells));
}

/** Cells encoded before the event loop gets a turn: a few milliseconds of work. */
const CELLS_PER_TURN = 10_000;

/**
 * Rows in ClickHouse's JSONCompactEachRow format. Measured against TabSeparated with 10,000 swaps:
 * the engine reads both equally fast, and JSON.stringify writes them five times faster. Many rows
 * are encoded in portions, so that other work on the thread is not delayed.
 */
export async function encodeRowsInTurns<Row>(
  rows: readonly Row[],
  toCells: (row: Row) => readonly Cell[],
): Promise<Buffer> {
  const parts: string[] = [];
  let cells = 0;
  for (const row of rows) {
    const values = toCells(row);
    parts.push(JSON.stringify(values));
    cells += values.length;
    if (cells < CELLS_PER_TURN) continue;
    cells = 0;
    await nextTurn();
  }
  return Buffer.from(parts.join('\n'));
}

/**
 * An amount for an Int128 column. ClickHouse silently wraps values that do not fit, so an amount
 * beyond ±2^127 throws StoreError: sums of 64-bit chain amounts cannot reach it.
 */
export function int128Text(value: bigint, column: string): string {
  if (BigInt.asIntN(128, value) !== value) {
    throw new StoreError(`${value} does not fit the column ${column}.`);
  }
  return value.toString();
}

/** An amount for an Int128 column, clamped to ±2^127, which only absurd tokens exceed. */
export function saturated128Text(value: bigint): string {
  if (BigInt.asIntN(128, value) === value) return value.toString();
  return (value < 0n ? -(2n ** 127n) : 2n ** 127n - 1n).toString();
}

/**
 * A price for an Int256 column; beyond ±2^255 it is unknown. Only tokens with absurd decimals exceed
 * that, and they must not stop the service.
 */
export function int256TextOrNull(value: bigint): string | null {
  return BigInt.asIntN(256, value) === value ? value.toString() : null;
}
