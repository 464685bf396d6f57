import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PeerMerits, percentileOf } from './peer-merits.ts';

describe('the percentile of a merit', () => {
  test('counts wallets below, and those of its bin by its place in it', () => {
    const peers = new PeerMerits();
    // Bins of 1/64: 0 begins bin 128. Three are below it, four in it, one above.
    for (const merit of [-5, -0.5, -0.01, 0, 0.003, 0.007, 0.015, 0.9]) peers.add(12, merit, 1);
    const standing = peers.standing(12, 1 / 128);
    expect(standing).toEqual({ peers: 8, peersBelow: 5 });
    // Of twenty made-up peers 1 / (1 + e^-0.078125) stand below.
    const prior = 20 / (1 + Math.exp(-10 / 128));
    expect(percentileOf(1 / 128, standing)).toBeCloseTo((100 * (5 + prior)) / 28, 12);
  });

  test('is 50 for 0, and above 90 for 0.25, among made-up peers alone', () => {
    const nobody = { peers: 0, peersBelow: 0 };
    expect(percentileOf(0, nobody)).toBe(50);
    expect(percentileOf(0.25, nobody)).toBeCloseTo(92.414, 3);
  });

  test('compares only wallets with as many episodes', () => {
    const peers = new PeerMerits();
    for (const episodes of [1, 9.99, 10, 19, 20, 200]) peers.add(episodes, -1, 1);
    expect(peers.standing(10, 0)).toEqual({ peers: 2, peersBelow: 2 });
    expect(peers.standing(5, 0)).toEqual({ peers: 1, peersBelow: 1 });
    expect(peers.standing(4, 0)).toEqual({ peers: 0, peersBelow: 0 });
    expect(peers.standing(1e6, 0)).toEqual({ peers: 1, peersBelow: 1 });
  });

  test('never decreases with the merit, and wallets that are removed do not count', () => {
    const merits = fc.array(fc.double({ min: -3, max: 3, noNaN: true }), { maxLength: 60 });
    fc.assert(
      fc.property(merits, merits, (kept, removed) => {
        const peers = new PeerMerits();
        for (const merit of [...kept, ...removed]) peers.add(30, merit, 1);
        for (const merit of removed) peers.add(30, merit, -1);
        expect(peers.standing(30, 0).peers).toBe(kept.length);
        let previous = 0;
        for (let merit = -2.5; merit < 2.5; merit += 0.0101) {
          const standing = peers.standing(30, merit);
          const percentile = percentileOf(merit, standing);
          expect(percentile).toBeGreaterThanOrEqual(previous);
          previous = percentile;
        }
        expect(previous).toBeLessThanOrEqual(100);
      }),
      { numRuns: 50 },
    );
  });
});
