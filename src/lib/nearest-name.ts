/**
 * The known name that `name` is probably a misspelling of: the one with the smallest edit distance,
 * the first of several; null if that distance is above `distanceMax`.
 */
export function nearestName(
  name: string,
  known: readonly string[],
  distanceMax: number,
): string | null {
  let nearest: string | null = null;
  let least = distanceMax + 1;
  for (const candidate of known) {
    // The difference in length is a lower bound, which spares most comparisons.
    if (Math.abs(candidate.length - name.length) >= least) continue;
    const distance = editDistance(name, candidate);
    if (distance >= least) continue;
    nearest = candidate;
    least = distance;
  }
  return nearest;
}

/** Number of letters to replace, insert, delete or transpose (optimal string alignment). */
function editDistance(one: string, other: string): number {
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const replaced = (row[j - 1] as number) + (one[i - 1] === other[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      const swapped = isSwap ? (before[j - 2] as number) + 1 : replaced;
      next.push(Math.min(replaced, swapped, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    before = row;
    row = next;
  }
  return row[other.length] as number;
}
