import { describe, expect, test } from 'vitest';
import { mapAhead } from './map-ahead.ts';

/** A result that the test resolves. */
interface Deferred {
  readonly item: number;
  readonly resolve: (result: string) => void;
  readonly reject: (error: Error) => void;
}

class Bench {
  readonly begun: Deferred[] = [];
  taken = 0;
  isReturned = false;

  async *items(count: number): AsyncGenerator<number> {
    try {
      for (let item = 0; item < count; item++) {
        this.taken++;
        yield item;
      }
    } finally {
      this.isReturned = true;
    }
  }

  readonly map = (item: number): Promise<string> =>
    new Promise((resolve, reject) => this.begun.push({ item, resolve, reject }));

  finish(item: number): void {
    this.begun.find((deferred) => deferred.item === item)?.resolve(`result ${item}`);
  }
}

/** Waits until every promise that can settle has settled. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

describe('mapAhead', () => {
  test('yields in the order of the items, regardless of the order of the results', async () => {
    const bench = new Bench();
    const results = mapAhead(bench.items(3), bench.map, 3);
    const first = results.next();
    await settled();
    for (const item of [2, 1, 0]) bench.finish(item);
    expect((await first).value).toBe('result 0');
    expect((await results.next()).value).toBe('result 1');
    expect((await results.next()).value).toBe('result 2');
    expect((await results.next()).done).toBe(true);
  });

  test('takes no item while the maximum number is outstanding', async () => {
    const bench = new Bench();
    const results = mapAhead(bench.items(10), bench.map, 2);
    const first = results.next();
    await settled();
    expect(bench.taken).toBe(2);
    bench.finish(0);
    await first;
    await settled();
    // The consumer has not asked for more yet, so no further item is taken.
    expect(bench.taken).toBe(2);
    const second = results.next();
    await settled();
    expect(bench.taken).toBe(3);
    bench.finish(1);
    expect((await second).value).toBe('result 1');
  });

  test('does not delay a finished result until more items arrive', async () => {
    const never = new Promise<void>(() => undefined);
    async function* oneThenSilence(): AsyncGenerator<number> {
      yield 0;
      await never;
    }
    const results = mapAhead(oneThenSilence(), async (item) => `result ${item}`, 4);
    expect((await results.next()).value).toBe('result 0');
  });

  test('throws a failure in its turn, after the results before it', async () => {
    const bench = new Bench();
    const results = mapAhead(bench.items(2), bench.map, 2);
    const first = results.next();
    await settled();
    bench.begun[1]?.reject(new Error('the second failed'));
    await settled();
    bench.finish(0);
    expect((await first).value).toBe('result 0');
    await expect(results.next()).rejects.toThrow('the second failed');
    expect(bench.isReturned).toBe(true);
  });

  test('closes the source when the consumer stops early', async () => {
    const bench = new Bench();
    const results = mapAhead(bench.items(10), async (item) => item, 3);
    await results.next();
    await results.return(undefined);
    expect(bench.isReturned).toBe(true);
  });
});
