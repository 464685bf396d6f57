import { describe, expect, test } from 'vitest';
import { buildPosition } from '../../../tests/support/build-position.ts';
import { asRawAmount, asUsdNano, type UsdNano } from '../../model/units.ts';
import {
  breakEvenUsd,
  isAlwaysProfitable,
  isProfitable,
  priceInUnits,
  profitTermsOf,
} from './profit.ts';

const DOLLAR = 1_000_000_000n;
const CENT = DOLLAR / 100n;

function dollars(amount: bigint): UsdNano {
  return asUsdNano(amount * DOLLAR);
}

describe('the tolerance', () => {
  test.each([
    ['one cent where 0.1 % is less', 9n, CENT],
    ['one cent where 0.1 % is as much', 10n, CENT],
    ['0.1 % of all that was paid where that is more', 500n, DOLLAR / 2n],
  ])('is %s', (_, paid, tolerance) => {
    const closed = buildPosition({ isOpen: false, grossCostUsd: dollars(paid) });
    expect(profitTermsOf(closed)).toEqual({ needUsd: tolerance, heldRaw: 0n });
  });
});

describe('an open position', () => {
  // 1,000 tokens of six decimals bought for 200, half sold for 150: cost 100, realised 50.
  // The other half must be worth more than 100 − 50 + 0.20, so each more than 0.1004.
  const terms = profitTermsOf(
    buildPosition({
      heldRaw: asRawAmount(500_000_000n),
      costUsd: dollars(100n),
      realisedUsd: dollars(50n),
      grossCostUsd: dollars(200n),
    }),
  );
  const atPrice = (priceE18: bigint) =>
    terms !== null && isProfitable(terms, priceInUnits(priceE18, 6));

  test('is profitable above its break-even price, but not at it', () => {
    const breakEven = 100_400_000_000_000_000n;
    expect([breakEven - 1n, breakEven, breakEven + 1n].map(atPrice)).toEqual([false, false, true]);
  });

  test('has a break-even estimate near that price', () => {
    expect(terms && breakEvenUsd(terms, 6)).toBeCloseTo(0.1004, 12);
    expect(terms && isAlwaysProfitable(terms)).toBeNull();
  });

  test('with more proceeds than its total cost is profitable at any price', () => {
    const house = profitTermsOf(
      buildPosition({
        heldRaw: asRawAmount(1n),
        realisedUsd: dollars(50n),
        grossCostUsd: dollars(10n),
      }),
    );
    expect(house && isAlwaysProfitable(house)).toBe(true);
  });
});

describe('a closed position', () => {
  test('is judged only by its realised profit, ignoring remaining dust and its cost', () => {
    const atGain = (realisedUsd: bigint) =>
      profitTermsOf(
        buildPosition({
          isOpen: false,
          heldRaw: asRawAmount(3n),
          costUsd: dollars(1n),
          realisedUsd: asUsdNano(realisedUsd),
          grossCostUsd: dollars(5n),
        }),
      );
    expect(atGain(CENT)).toEqual({ needUsd: 0n, heldRaw: 0n });
    expect(
      [CENT, CENT + 1n].map((gain) =>
        isAlwaysProfitable(atGain(gain) ?? { needUsd: 1n, heldRaw: 1n }),
      ),
    ).toEqual([false, true]);
  });
});

describe('a wallet without a known result', () => {
  test('has no purchase at a known cost, or amounts beyond 64 bits', () => {
    const held = { heldRaw: asRawAmount(5n), realisedUsd: dollars(1_000n) };
    expect(profitTermsOf(buildPosition({ ...held, hasKnownBuy: false }))).toBeNull();
    expect(profitTermsOf(buildPosition({ costUsd: asUsdNano(2n ** 63n) }))).toBeNull();
  });
});
