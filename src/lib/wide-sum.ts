import type { Field } from './row-layout.ts';
import type { RowTable } from './row-table.ts';

/** A signed sum of 128 bits in two's complement: the low 64 bits, then the high ones. */
export type WideField = Field<'u64'>;

/** Reads a sum of 128 bits. */
export function wideSum(rows: RowTable, row: number, field: WideField): bigint {
  const view = rows.viewOf(row);
  const at = rows.startOf(row) + field.offset;
  const low = view.getBigUint64(at, true);
  const high = view.getBigInt64(at + WORD_BYTES, true);
  return high === 0n ? low : (high << 64n) + low;
}

/**
 * Adds to a sum of 128 bits. The sum of 2^32 numbers of at most 2^94 fits; throws RangeError for
 * one that does not.
 */
export function addToWide(rows: RowTable, row: number, field: WideField, amount: bigint): void {
  if (amount === 0n) return;
  const view = rows.changing(row);
  const at = rows.startOf(row) + field.offset;
  const low = view.getBigUint64(at, true) + amount;
  if (low >= 0n && low <= U64_MAX) {
    view.setBigUint64(at, low, true);
    return;
  }
  const high = view.getBigInt64(at + WORD_BYTES, true) + (low >> 64n);
  if (BigInt.asIntN(64, high) !== high) throw new RangeError('a sum is beyond 128 bits');
  view.setBigUint64(at, BigInt.asUintN(64, low), true);
  view.setBigInt64(at + WORD_BYTES, high, true);
}

const WORD_BYTES = 8;
const U64_MAX = 2n ** 64n - 1n;
