import { describe, expect, it } from 'vitest';
import { named } from '../../../tests/support/made-up-units.ts';
import { matchedRate, surpriseOf, type WatchedHolder } from './matched-control.ts';

/** Holders of one size, some of which did it. */
const holders = (count: number, did: number, heldRaw = 100n): WatchedHolder[] =>
  Array.from({ length: count }, (_, at) => ({
    wallet: named(`${heldRaw} ${at}`),
    heldRaw,
    did: at < did,
  }));

describe('the surprise of a group', () => {
  // The two numbers of METHODS §7.7.
  it('is 6.1 for 7 of 8 if a tenth of the others did it', () => {
    expect(surpriseOf(holders(8, 7), holders(50, 5))).toBeCloseTo(6.1, 1);
  });

  it('is 0.97 for 7 of 8 if six tenths of the others did it', () => {
    expect(surpriseOf(holders(8, 7), holders(50, 30))).toBeCloseTo(0.97, 2);
  });

  it('uses a rate of 2 % if no other did it', () => {
    // 0.02^3 is 8 in a million.
    expect(surpriseOf(holders(3, 3), holders(50, 0))).toBeCloseTo(-Math.log10(8e-6), 9);
  });

  it('is unknown with fewer than five others, and without members', () => {
    expect(surpriseOf(holders(3, 3), holders(4, 0))).toBeNull();
    expect(surpriseOf([], holders(50, 5))).toBeNull();
    expect(surpriseOf(holders(3, 3), holders(5, 0))).not.toBeNull();
  });

  it('is 0 if no member did it', () => {
    expect(surpriseOf(holders(3, 0), holders(50, 5))).toBe(0);
  });
});

describe('the rate of matched others', () => {
  /** Ten sizes with ten holders each: of size n tenths, n of them did it. */
  const graded = Array.from({ length: 10 }, (_, at) =>
    holders(10, at, BigInt(at + 1) * 10n),
  ).flat();

  it('is that of the decile of the member', () => {
    expect(matchedRate(holders(1, 1, 40n), graded)).toBeCloseTo(0.3, 12);
    expect(matchedRate(holders(1, 1, 41n), graded)).toBeCloseTo(0.4, 12);
  });

  it('is that of the outer deciles for members outside of their range', () => {
    expect(matchedRate(holders(1, 1, 1_000n), graded)).toBeCloseTo(0.9, 12);
    expect(matchedRate(holders(1, 1, 1n), graded)).toBeCloseTo(0.02, 12);
  });

  it('is averaged over members', () => {
    const members = [...holders(1, 1, 40n), ...holders(3, 3, 80n)];
    expect(matchedRate(members, graded)).toBeCloseTo((0.3 + 3 * 0.7) / 4, 12);
  });

  it('does not depend on the order of others of one size', () => {
    const others = holders(50, 40);
    const members = holders(3, 3);
    expect(matchedRate(members, others)).toBeCloseTo(0.8, 12);
    expect(matchedRate(members, others.toReversed())).toBeCloseTo(0.8, 12);
  });
});
