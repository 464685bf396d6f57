import { describe, expect, it } from 'vitest';
import { NearDuplicates } from './near-duplicates.ts';
import { type SimHash, simHash, simHashDistance } from './sim-hash.ts';

const HOUR_MS = 3_600_000;
const RAID = 'this one is going to the moon, do not miss it, buy before the listing tomorrow';

function hashOf(text: string): SimHash {
  const hash = simHash(text);
  if (hash === null) throw new Error('The text has no words.');
  return hash;
}

describe('simHash', () => {
  it('is the same for copies that differ in link, handle, capitals and punctuation', () => {
    const copies = [
      `${RAID}!!! https://a.b/1`,
      `@you ${RAID.toUpperCase()} @me`,
      ` ${RAID} 😀`.slice(0, -3),
    ];
    for (const copy of copies) expect(simHashDistance(hashOf(copy), hashOf(RAID))).toBe(0);
  });

  it('of different texts differs in about half of its bits', () => {
    const texts = Array.from({ length: 60 }, (_, at) =>
      Array.from({ length: 14 }, (_, word) => `w${(at * 131 + word * 37 * (at + 1)) % 997}`).join(
        ' ',
      ),
    );
    const distances = texts.flatMap((one, at) =>
      texts.slice(at + 1).map((other) => simHashDistance(hashOf(one), hashOf(other))),
    );
    const mean = distances.reduce((sum, bits) => sum + bits, 0) / distances.length;
    expect(Math.abs(mean - 32)).toBeLessThan(2);
    expect(Math.min(...distances)).toBeGreaterThan(3);
  });

  it('of an empty text, or of a link alone, is null', () => {
    expect(simHash('')).toBeNull();
    expect(simHash(' https://a.b/c !!')).toBeNull();
  });
});

describe('NearDuplicates', () => {
  it('counts copies within 24 hours and starts again after that', () => {
    const seen = new NearDuplicates();
    const raid = hashOf(RAID);
    expect([0, 1, 23].map((hours) => seen.count(raid, hours * HOUR_MS))).toEqual([1, 2, 3]);
    // The first is 24 hours old and was dropped; two are left.
    expect(seen.count(raid, 24 * HOUR_MS)).toBe(3);
    expect(seen.count(hashOf('something else entirely, said by nobody'), 24 * HOUR_MS)).toBe(1);
    expect(seen.count(raid, 100 * HOUR_MS)).toBe(1);
    expect(seen.size).toBe(1);
  });

  it('finds every hash within three bits, and none that differs in four', () => {
    const base: SimHash = { high: 0x12345678, low: 0x9abcdef0 };
    const flipped = (...bits: number[]): SimHash => {
      let [high, low] = [base.high, base.low];
      for (const bit of bits) {
        if (bit < 32) low = (low ^ (1 << bit)) >>> 0;
        else high = (high ^ (1 << (bit - 32))) >>> 0;
      }
      return { high, low };
    };
    for (let bit = 0; bit < 60; bit++) {
      const seen = new NearDuplicates();
      seen.count(base, 0);
      expect(seen.count(flipped(bit, (bit + 17) % 64, (bit + 34) % 64), 1)).toBe(2);
      const other = new NearDuplicates();
      other.count(base, 0);
      expect(other.count(flipped(bit, (bit + 17) % 64, (bit + 34) % 64, (bit + 51) % 64), 1)).toBe(
        1,
      );
    }
  });

  it('keeps a bounded number, and gives the counts of a plain list', () => {
    const seen = new NearDuplicates(50);
    const naive: { hash: SimHash; timeMs: number }[] = [];
    for (let at = 0; at < 400; at++) {
      const hash = hashOf(`${RAID.slice(0, 30)} ${at % 7} and ${(at * at) % 5} more`);
      const timeMs = at * 0.2 * HOUR_MS;
      while (
        (naive[0] !== undefined && naive[0].timeMs <= timeMs - 24 * HOUR_MS) ||
        naive.length >= 50
      ) {
        naive.shift();
      }
      const expected = naive.filter((other) => simHashDistance(other.hash, hash) <= 3).length + 1;
      naive.push({ hash, timeMs });
      expect(seen.count(hash, timeMs)).toBe(expected);
    }
    expect(seen.size).toBeLessThanOrEqual(50);
  });
});
