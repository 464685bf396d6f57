/**
 * Maps items with up to `aheadMax` of them under way, and yields the results in the order of the
 * items, each as soon as it and those before it are there. No item is asked for while `aheadMax`
 * results are outstanding: whoever reads slowly slows the items down.
 */
export async function* mapAhead<Item, Result>(
  items: AsyncIterable<Item>,
  map: (item: Item) => Promise<Result>,
  aheadMax: number,
): AsyncGenerator<Result> {
  const iterator = items[Symbol.asyncIterator]();
  const begun: Promise<Result>[] = [];
  let asked: Promise<IteratorResult<Item>> | null = null;
  let isEnded = false;
  try {
    while (!isEnded || begun.length > 0) {
      const [head] = begun;
      if (!isEnded && begun.length < aheadMax) asked ??= observed(iterator.next());
      const item = await firstOf(begun.length < aheadMax ? asked : null, head);
      if (item === null) {
        yield await (begun.shift() as Promise<Result>);
        continue;
      }
      asked = null;
      if (item.done === true) isEnded = true;
      else begun.push(observed(map(item.value)));
    }
  } finally {
    await iterator.return?.();
  }
}

/** The next item, or null when the oldest result is there first. */
async function firstOf<Item>(
  asked: Promise<Item> | null,
  head: Promise<unknown> | undefined,
): Promise<Item | null> {
  if (asked === null) return null;
  if (head === undefined) return await asked;
  return await Promise.race([head.then(() => null), asked]);
}

/** A failure is told when its turn comes; until then nobody waits for it, and that is no fault. */
function observed<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}
