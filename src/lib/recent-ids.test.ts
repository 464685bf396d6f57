import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeBase58 } from './base58.ts';
import { RecentIds } from './recent-ids.ts';

/** Names, addresses that begin alike, and any others. */
const text = fc.oneof(
  fc.constantFrom('', 'a', 'constructor', '11111111111111111111111111111111'),
  fc.nat(3).map((last) => `pump${'1'.repeat(30)}${last}`),
  fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => encodeBase58(bytes)),
);

/** None, and those beyond 31 bits too. */
const number = fc.oneof(fc.integer({ min: -1, max: 9 }), fc.constantFrom(2 ** 31, 2 ** 32 - 2));

describe('recent ids', () => {
  test('are those that were set last, or not known any more', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(text, number)), (sets) => {
        const recent = new RecentIds<string>();
        const all = new Map<string, number>();
        for (const [each, id] of sets) {
          recent.set(each, id);
          all.set(each, id);
          expect(recent.get(each)).toBe(id);
        }
        for (const [each] of sets) expect([all.get(each), undefined]).toContain(recent.get(each));
      }),
    );
  });

  test('of most short names in use are known', () => {
    const recent = new RecentIds<string>();
    const names = Array.from({ length: 2_000 }, (_, number) => `m${number}`);
    for (let round = 0; round < 8; round++) {
      for (const [id, name] of names.entries()) recent.set(name, id);
    }
    const known = names.filter((name, id) => recent.get(name) === id);
    expect(known.length).toBeGreaterThan(names.length / 2);
  });

  test('of most addresses in use are known, however many there are', () => {
    const recent = new RecentIds<string>();
    const addresses = Array.from({ length: 40_000 }, (_, number) => {
      const bytes = new Uint8Array(32);
      new DataView(bytes.buffer).setUint32(0, Math.imul(number + 1, 0x9e3779b1) >>> 0);
      return encodeBase58(bytes.fill(number & 0xff, 4));
    });
    // Those that find the cache too small make it grow.
    for (let round = 0; round < 4; round++) {
      for (const [id, address] of addresses.entries()) recent.set(address, id);
    }
    const known = addresses.filter((address, id) => recent.get(address) === id);
    expect(known.length).toBeGreaterThan(addresses.length / 2);
  });
});
