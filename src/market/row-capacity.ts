const ROWS_MIN = 1_024;
const SPARE_SHARE = 1 / 4;

/**
 * The length of arrays that are to have a number of rows: a quarter more. Doubling would leave up to
 * half of them unused; growing copies each row four times in all.
 */
export function capacityFor(rows: number): number {
  return Math.max(ROWS_MIN, rows + Math.ceil(rows * SPARE_SHARE));
}
