/**
 * Yields every maximal run of neighbours whose first item fits the last. `things` must be ordered
 * such that an item that fits a far neighbour also fits all nearer ones. Runs of one item are left
 * out.
 */
export function* longestRuns<Thing>(
  things: readonly Thing[],
  fits: (first: Thing, last: Thing) => boolean,
): Iterable<readonly Thing[]> {
  let end = 0;
  for (const [start, first] of things.entries()) {
    const before = end;
    for (let next = things[end]; next !== undefined && fits(first, next); next = things[++end]);
    if (end > before && end - start > 1) yield things.slice(start, end);
  }
}
