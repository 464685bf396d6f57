/** Negative if the first row comes before the second; never 0 for different rows. */
export type CompareRows = (one: number, other: number) => number;

/**
 * The rows with the ranks from `from` (inclusive) to `to` (exclusive) in an order. `rows` is
 * rearranged. Takes time proportional to the number of rows, except for the ranks returned, which
 * are sorted.
 */
export function rowsOfRanks(
  rows: Int32Array,
  { from, to }: { readonly from: number; readonly to: number },
  compare: CompareRows,
): Int32Array {
  const end = Math.min(to, rows.length);
  if (from >= end) return rows.subarray(0, 0);
  const first = firstOf(rows, end, compare);
  gatherFirst(first, from, compare);
  return first.subarray(from).sort(compare);
}

/** The first `count` rows of the order, in any order. */
function firstOf(rows: Int32Array, count: number, compare: CompareRows): Int32Array {
  if (count * FEW >= rows.length) {
    gatherFirst(rows, count, compare);
    return rows.subarray(0, count);
  }
  // Most rows are after the last of those found so far, and need one comparison.
  const found = new Int32Array(2 * count);
  let size = 0;
  let last = -1;
  for (const row of rows) {
    if (last !== -1 && compare(row, last) >= 0) continue;
    found[size++] = row;
    if (size < found.length) continue;
    gatherFirst(found, count, compare);
    size = count;
    last = lastOf(found.subarray(0, count), compare);
  }
  gatherFirst(found.subarray(0, size), count, compare);
  return found.subarray(0, Math.min(size, count));
}

/** Below this part of all rows, finding the first ones takes one pass. */
const FEW = 8;

function lastOf(rows: Int32Array, compare: CompareRows): number {
  return rows.reduce((last, row) => (compare(row, last) > 0 ? row : last));
}

/** Moves the first `count` rows of the order to the front, in any order. */
function gatherFirst(rows: Int32Array, count: number, compare: CompareRows): void {
  if (count <= 0 || count >= rows.length) return;
  const pivots = pivotDraws(rows.length);
  let low = 0;
  let high = rows.length - 1;
  while (low < high) {
    const split = partition(rows, { low, high, pivot: pivots(low, high) }, compare);
    if (split === count || split === count - 1) return;
    if (split < count) low = split + 1;
    else high = split - 1;
  }
}

/** Moves the rows before the pivot in front of it; returns where the pivot is then. */
function partition(
  rows: Int32Array,
  { low, high, pivot }: { readonly low: number; readonly high: number; readonly pivot: number },
  compare: CompareRows,
): number {
  const row = rows[pivot] as number;
  rows[pivot] = rows[high] as number;
  let end = low;
  for (let at = low; at < high; at++) {
    const other = rows[at] as number;
    if (compare(other, row) >= 0) continue;
    rows[at] = rows[end] as number;
    rows[end++] = other;
  }
  rows[high] = rows[end] as number;
  rows[end] = row;
  return end;
}

/** The same draws for the same number of rows: no order of values takes long on purpose. */
function pivotDraws(seed: number): (low: number, high: number) => number {
  let state = seed >>> 0;
  return (low, high) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return low + Math.floor((state / 2 ** 32) * (high - low + 1));
  };
}
