// Loops here count places: over as many numbers the others take twice the time.

/** Enough of them to say within a few percent where a rank lies. */
const SAMPLE = 1_024;
/** So many places of the sample to each side: four times what chance makes of the middle. */
const MARGIN = 64;

/**
 * The values at the ranks before and at half the count if these were sorted: those on both sides of
 * the middle of an even count, the second the middle one of an odd count. Looked for between two
 * values of a sample: what lies outside is only counted. Where it is not there, among all of them.
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
  // Without branches, which half of the time would be guessed wrong.
  for (let at = 0; at < length; at++) {
    const value = values[at] ?? 0;
    below += Number(value < least);
    within[count] = value;
    count += Number(value >= least) & Number(value <= most);
  }
  const isThere = rank > below && rank < below + count;
  return isThere ? sidesOf(within.subarray(0, count), rank - below) : sidesOf(copyOf(values), rank);
}

/** Fresh memory costs more than looking at it: one for all medians, which are taken one at a time. */
let room = new Float64Array();

function capacityFor(length: number): Float64Array {
  if (room.length < length) room = new Float64Array(length);
  return room;
}

function copyOf(values: Float64Array): Float64Array {
  const copy = capacityFor(values.length).subarray(0, values.length);
  copy.set(values);
  return copy;
}

/** The values at the rank before and at the rank. Reorders what it is given. */
function sidesOf(values: Float64Array, rank: number): readonly [below: number, above: number] {
  const above = select(values, rank);
  let below = Number.NEGATIVE_INFINITY;
  // Everything before a rank is no larger than what is there.
  for (let at = 0; at < rank; at++) below = Math.max(below, values[at] ?? below);
  return [below, above];
}

/** Hoare's selection: the value that would be at `rank` if they were sorted. */
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

/** Nothing up to `right` is larger than anything from `left` on; what lies between is in its place. */
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
