import type { Field } from '../../../lib/row-layout.ts';
import type { RowTable } from '../../../lib/row-table.ts';

const COUNT_MAX = 0xff;

/**
 * Counts whole seconds in a histogram by powers of two: bucket 0 for 0, bucket k for
 * [2^(k−1), 2^k), the last one for all longer times. When a bucket is full, all buckets are halved,
 * which keeps the shape and gives recent values more weight.
 */
export function countSeconds(
  rows: RowTable,
  row: number,
  histogram: Field<'u8'>,
  seconds: number,
): void {
  const bucket = bucketOf(seconds, histogram.length);
  if (rows.number(row, histogram, bucket) === COUNT_MAX) {
    for (let at = 0; at < histogram.length; at++) {
      rows.setNumber(row, histogram, rows.number(row, histogram, at) >>> 1, at);
    }
  }
  rows.setNumber(row, histogram, rows.number(row, histogram, bucket) + 1, bucket);
}

function bucketOf(seconds: number, buckets: number): number {
  const whole = Math.min(Math.max(0, Math.floor(seconds)), 0x7fff_ffff);
  return Math.min(32 - Math.clz32(whole), buckets - 1);
}
