/**
 * Maps items with up to `aheadMax` of them in progress, and yields the results in the order of the
 * items. No item is taken while `aheadMax` results are outstanding: a slow consumer slows the
 * source down.
 */
export async function* mapAhead<Item, Result>(
  items: AsyncIterable<Item>,
  map: (item: Item) => Promise<Result>,
  aheadMax: number,
): AsyncGenerator<Result> {
  const iterator = items[Symbol.asyncIterator]();
  const begun: Promise<Result>[] = [];
  let pending: Promise<IteratorResult<Item>> | null = null;
  let isEnded = false;
  try {
    while (!isEnded || begun.length > 0) {
      const [head] = begun;
      if (!isEnded && begun.length < aheadMax) pending ??= observed(iterator.next());
      const item = await firstOf(begun.length < aheadMax ? pending : null, head);
      if (item === null) {
        yield await (begun.shift() as Promise<Result>);
        continue;
      }
      pending = null;
      if (item.done === true) isEnded = true;
      else begun.push(observed(map(item.value)));
    }
  } finally {
    await iterator.return?.();
  }
}

/** The next item, or null if the oldest result is available first. */
async function firstOf<Item>(
  pending: Promise<Item> | null,
  head: Promise<unknown> | undefined,
): Promise<Item | null> {
  if (pending === null) return null;
  if (head === undefined) return await pending;
  return await Promise.race([head.then(() => null), pending]);
}

/** Marks the promise as handled: its failure is thrown when its turn comes, not before. */
function observed<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}
