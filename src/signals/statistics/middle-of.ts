// Loops here use an index: `for…of` over this many numbers takes twice the time.

/** Large enough to locate a rank within a few percent. */
const SAMPLE = 1_024;
/**
 * Positions in the sample on either side of the middle: four times the random deviation of the
 * median.
 */
const MARGIN = 64;

/**
 * Returns the values at the ranks before and at half the count in sorted order: the two middle
 * values of an even count; the second one is the median of an odd count. Searches between two
 * values of a sample and only counts the values outside; if the ranks are not there, searches all
 * values.
 */
export function middleOf(values: Float64Array): readonly [below: number, above: number] {
  const { length } = values;
  const rank = length >> 1;
  if (length <= 4 * SAMPLE) return sidesOf(copyOf(values), rank);
  const step = length / SAMPLE;
  const sample = new Float64Array(SAMPLE);
  for (let at = 0; at < SAMPLE; at++) sample[at] = values[Math.floor(at * step)] ?? 0;
  sample.sort();
  const least = sample[SAMPLE / 2 - MARGIN] ?? 0;
  const most = sample[SAMPLE / 2 + MARGIN] ?? 0;
  const within = capacityFor(length);
  let below = 0;
  let count = 0;
  // Branch-free: half of the branches would be mispredicted.
  for (let at = 0; at < length; at++) {
    const value = values[at] ?? 0;
    below += Number(value < least);
    within[count] = value;
    count += Number(value >= least) & Number(value <= most);
  }
  const isThere = rank > below && rank < below + count;
  return isThere ? sidesOf(within.subarray(0, count), rank - below) : sidesOf(copyOf(values), rank);
}

/** Allocation costs more than the scan: one buffer serves all medians, which run one at a time. */
let buffer = new Float64Array();

function capacityFor(length: number): Float64Array {
  if (buffer.length < length) buffer = new Float64Array(length);
  return buffer;
}

function copyOf(values: Float64Array): Float64Array {
  const copy = capacityFor(values.length).subarray(0, values.length);
  copy.set(values);
  return copy;
}

/** The values at the rank before and at the rank. Reorders `values`. */
function sidesOf(values: Float64Array, rank: number): readonly [below: number, above: number] {
  const above = select(values, rank);
  let below = Number.NEGATIVE_INFINITY;
  // All values before a rank are at most the value at it; the largest is the one before.
  for (let at = 0; at < rank; at++) below = Math.max(below, values[at] ?? below);
  return [below, above];
}

/** Hoare's selection: the value that would be at `rank` in sorted order. */
function select(values: Float64Array, rank: number): number {
  let from = 0;
  let to = values.length - 1;
  while (from < to) {
    const [left, right] = partition(values, from, to);
    if (rank <= right) to = right;
    else if (rank >= left) from = left;
    else break;
  }
  return values[rank] ?? 0;
}

/**
 * No value up to `right` exceeds a value from `left` on; values in between are at their final
 * position.
 */
function partition(
  values: Float64Array,
  from: number,
  to: number,
): readonly [left: number, right: number] {
  const pivot = values[(from + to) >> 1] ?? 0;
  let left = from;
  let right = to;
  while (left <= right) {
    while ((values[left] ?? pivot) < pivot) left++;
    while ((values[right] ?? pivot) > pivot) right--;
    if (left <= right) swap(values, left++, right--);
  }
  return [left, right];
}

function swap(values: Float64Array, one: number, other: number): void {
  const value = values[one] ?? 0;
  values[one] = values[other] ?? 0;
  values[other] = value;
}
