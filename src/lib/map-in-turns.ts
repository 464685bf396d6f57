import { setImmediate as nextTurn } from 'node:timers/promises';

/** Items mapped per turn of the event loop: about a millisecond of formatting. */
const ITEMS_PER_TURN = 200;

/**
 * Maps items in order, a limited number per turn of the event loop, to let other work run in
 * between.
 */
export async function mapInTurns<Item, Result>(
  items: readonly Item[],
  map: (item: Item) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const item of items) {
    if (results.length > 0 && results.length % ITEMS_PER_TURN === 0) await nextTurn();
    results.push(map(item));
  }
  return results;
}
