import type { Field } from '../../lib/row-layout.ts';
import { rowLayout } from '../../lib/row-layout.ts';
import type { RowTable } from '../../lib/row-table.ts';

/** Words of a sum: the values of 2^31 trades fit, each below 2^289 (2^64 units at PRICE_MAX). */
const SUM_WORDS = 5;

/** Trades of one wallet in one pool at one time and weight. Row numbers are plus one, 0 for none. */
export const SMART_MOVE_LAYOUT = rowLayout({
  timeMs: 'f64',
  /** Unsigned sums in nano-dollars, the lowest word first. */
  boughtUsd: ['u64', SUM_WORDS],
  soldUsd: ['u64', SUM_WORDS],
  /** Address ids; that of the cluster plus one, 0 for none. */
  pool: 'u32',
  wallet: 'u32',
  cluster: 'u32',
  weightE6: 'u32',
  /** Neighbours among the rows of the pool, which are in order of time. */
  older: 'u32',
  newer: 'u32',
  /** The next row of any pool. */
  next: 'u32',
  isEligible: 'u8',
});

/** A field with a sum of dollars. */
export type FlowField = Field<'u64'>;

/** Reads a sum of nano-dollars. */
export function flowOf(rows: RowTable, row: number, field: FlowField): bigint {
  let sum = 0n;
  for (let word = SUM_WORDS - 1; word >= 0; word--) {
    sum = (sum << WORD_BITS) | rows.bigint(row, field, word);
  }
  return sum;
}

/** Adds nano-dollars to a sum. Throws RangeError for a sum that the words cannot represent. */
export function addToFlow(rows: RowTable, row: number, field: FlowField, valueUsd: bigint): void {
  let rest = flowOf(rows, row, field) + valueUsd;
  for (let word = 0; word < SUM_WORDS; word++) {
    rows.setBigint(row, field, rest & WORD_MAX, word);
    rest >>= WORD_BITS;
  }
  if (rest !== 0n) throw new RangeError('a sum of dollars is beyond 320 bits');
}

const WORD_BITS = 64n;
const WORD_MAX = 2n ** WORD_BITS - 1n;
