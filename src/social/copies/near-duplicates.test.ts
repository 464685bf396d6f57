import { describe, expect, it } from 'vitest';
import { SOON_MS } from '../../../tests/support/slow-machine.ts';
import { NearDuplicates } from './near-duplicates.ts';
import { shinglesOf, textSignature } from './text-signature.ts';

const HOUR_MS = 3_600_000;
const RAID = 'this one is going to the moon, do not miss it, buy before the listing tomorrow';

function signatureOf(text: string): Uint8Array {
  const signature = textSignature(text);
  if (signature === null) throw new Error('The text has no words.');
  return signature;
}

/** Jaccard similarity, computed from the sets themselves. */
function similarityOf(one: string, other: string): number {
  const [first, second] = [shinglesOf(one), shinglesOf(other)];
  const both = [...first].filter((shingle) => second.has(shingle)).length;
  return both / (first.size + second.size - both);
}

/** The raid with its words from a place on replaced by others of the same length. */
function partlyOther(number: number): string {
  const words = RAID.replace(/,/g, '').split(' ');
  const kept = number % (words.length + 1);
  const consonant = (place: number) => 'bcdfghjklmnpqrstvwxz'[place % 20] ?? '';
  const made = (word: string, place: number) =>
    [...word].map((_, letter) => consonant(number * 7 + place * 5 + letter * 3)).join('');
  return words.map((word, place) => (place < kept ? word : made(word, place))).join(' ');
}

describe('NearDuplicates', () => {
  it('counts copies within 24 hours and starts again after that', () => {
    const seen = new NearDuplicates();
    const raid = signatureOf(RAID);
    expect([0, 1, 23].map((hours) => seen.count(raid, hours * HOUR_MS))).toEqual([1, 2, 3]);
    // The first is 24 hours old and was dropped; two are left.
    expect(seen.count(raid, 24 * HOUR_MS)).toBe(3);
    const other = signatureOf('something else entirely, said by nobody');
    expect(seen.count(other, 24 * HOUR_MS)).toBe(1);
    expect(seen.count(raid, 100 * HOUR_MS)).toBe(1);
    expect(seen.size).toBe(1);
  });

  it('finds nearly all texts of a similarity from 0.7 on, and nearly none below 0.35', () => {
    const others = Array.from({ length: 400 }, (_, at) => partlyOther(at));
    const isFound = (other: string) => {
      const seen = new NearDuplicates(8);
      seen.count(signatureOf(RAID), 0);
      return seen.count(signatureOf(other), 1) === 2;
    };
    const near = others.filter((other) => similarityOf(RAID, other) >= 0.7);
    const far = others.filter((other) => similarityOf(RAID, other) < 0.35);
    expect(Math.min(near.length, far.length)).toBeGreaterThan(40);
    expect(near.filter(isFound).length / near.length).toBeGreaterThan(0.98);
    expect(far.filter(isFound).length / far.length).toBeLessThan(0.02);
  });

  it('keeps a bounded number, and counts equal texts as a plain list does', () => {
    const seen = new NearDuplicates(50);
    const texts = Array.from({ length: 7 }, (_, at) =>
      `${'abcdefg'[at]}`
        .repeat(9)
        .split('')
        .map((letter, place) => `${letter}${'klmnopqrs'[place]}${letter}${'tuvwxyzab'[place]}`)
        .join(' '),
    );
    const naive: { text: string; timeMs: number }[] = [];
    for (let at = 0; at < 400; at++) {
      const text = texts[(at * at + (at >> 3)) % 7] ?? '';
      const timeMs = at * 0.2 * HOUR_MS;
      while (
        (naive[0] !== undefined && naive[0].timeMs <= timeMs - 24 * HOUR_MS) ||
        naive.length >= 50
      ) {
        naive.shift();
      }
      const expected = naive.filter((other) => other.text === text).length + 1;
      naive.push({ text, timeMs });
      expect(seen.count(signatureOf(text), timeMs)).toBe(expected);
    }
    expect(seen.size).toBeLessThanOrEqual(50);
  });

  it('stays fast when an attacker fills its buckets with similar texts', () => {
    const seen = new NearDuplicates();
    const startedMs = performance.now();
    for (let at = 0; at < 10_000; at++) {
      const word = at.toString(26).replace(/\d/g, (digit) => 'qrstuvwxyz'[Number(digit)] ?? '');
      seen.count(signatureOf(`${RAID} ${word}`), at);
    }
    // Comparing each with all others would be 50 million comparisons, minutes of work.
    expect(performance.now() - startedMs).toBeLessThan(SOON_MS);
  });
});
