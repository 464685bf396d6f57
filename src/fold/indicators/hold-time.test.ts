import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildPosition } from '../../../tests/support/build-position.ts';
import { asRawAmount } from '../../model/units.ts';
import { type HoldTerm, holdTermOf, meanHoldNs } from './hold-time.ts';

function sumsOf(terms: readonly HoldTerm[]) {
  const sums = { holdWallets: terms.length, holdConstantNs: 0n, holdSlopeE15: 0n };
  for (const { constantNs, slopeE15 } of terms) {
    sums.holdConstantNs += constantNs;
    sums.holdSlopeE15 += slopeE15;
  }
  return sums;
}

const held = fc.record({
  heldRaw: fc.bigInt(0n, 2n ** 64n - 1n).map(asRawAmount),
  acquiredS: fc.integer({ min: 0, max: 1_000_000 }),
  closedSeconds: fc.integer({ min: 0, max: 1_000_000 }),
  closedRaw: fc.integer({ min: 1, max: 2 ** 53 }),
});

describe('hold times', () => {
  test('of half sold after 20 s and half held since second 10 are 70 s at second 130', () => {
    const term = holdTermOf(
      buildPosition({ heldRaw: asRawAmount(5n), acquiredS: 10, closedHold: 5 * 20, closedRaw: 5 }),
    );
    expect(term).toEqual({ constantNs: 5_000_000_000n, slopeE15: 500_000_000_000_000n });
    expect(term && meanHoldNs(sumsOf([term]), 130_000)).toBe(70e9);
  });

  test('equal the mean over single wallets to 10^-9, at any later time', () => {
    fc.assert(
      fc.property(
        fc.array(held, { minLength: 1, maxLength: 40 }),
        fc.integer({ min: 1_000_001, max: 40_000_000 }),
        (wallets, nowS) => {
          const terms = wallets.flatMap(({ closedSeconds, closedRaw, ...parts }) => {
            const closedHold = closedSeconds * closedRaw;
            return holdTermOf(buildPosition({ ...parts, closedHold, closedRaw })) ?? [];
          });
          let sumS = 0;
          for (const { heldRaw, acquiredS, closedSeconds, closedRaw } of wallets) {
            const share = Number(heldRaw) / (Number(heldRaw) + closedRaw);
            sumS += share * (nowS - acquiredS) + (1 - share) * closedSeconds;
          }
          const meanS = (meanHoldNs(sumsOf(terms), nowS * 1_000) ?? Number.NaN) / 1e9;
          const expectedS = sumS / wallets.length;
          expect(Math.abs(meanS - expectedS)).toBeLessThanOrEqual(1e-9 * Math.max(expectedS, 100));
        },
      ),
    );
  });

  test('do not exist for a position without units of known cost', () => {
    expect(holdTermOf(buildPosition({}))).toBeNull();
    expect(meanHoldNs(sumsOf([]), 1_000)).toBeNull();
  });

  test('do not exist for invalid times', () => {
    expect(holdTermOf(buildPosition({ heldRaw: asRawAmount(1n), acquiredS: 1e12 }))).toBeNull();
    expect(
      holdTermOf(buildPosition({ heldRaw: asRawAmount(1n), acquiredS: Number.NaN })),
    ).toBeNull();
  });
});
