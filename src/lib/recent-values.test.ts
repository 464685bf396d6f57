import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RecentValues } from './recent-values.ts';

const PLACES_MAX = 2 ** 17;

describe('recent values', () => {
  test('are those that were set last, or not known any more', () => {
    const numbers = fc.oneof(fc.nat(3), fc.nat(2_000), fc.constantFrom(2 ** 31, 2 ** 32 - 2));
    fc.assert(
      fc.property(fc.array(fc.tuple(numbers, fc.string())), (sets) => {
        const recent = new RecentValues<string>(PLACES_MAX);
        const all = new Map<number, string>();
        for (const [id, each] of sets) {
          recent.set(id, each);
          all.set(id, each);
          expect(recent.get(id)).toBe(each);
        }
        for (const [id] of sets) expect([all.get(id), undefined]).toContain(recent.get(id));
      }),
    );
  });

  test('of consecutive numbers in use are all known', () => {
    const recent = new RecentValues<string>(PLACES_MAX);
    // Rounds that find the cache too small make it grow.
    for (let round = 0; round < 8; round++) {
      for (let id = 0; id < 5_000; id++) recent.set(id, String(id));
    }
    for (let id = 0; id < 5_000; id++) expect(recent.get(id)).toBe(String(id));
  });
});
