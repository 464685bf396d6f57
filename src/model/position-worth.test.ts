import { describe, expect, test } from 'vitest';
import { type PositionFigures, profitOf, realisedOf, unrealisedOf } from './position-worth.ts';
import { asPriceE18, asRawAmount, asUsdNano } from './units.ts';

const USD = 1_000_000_000n;
/** 100 tokens of six decimals that cost $30, at $0.50. */
const bought: PositionFigures = {
  heldRaw: asRawAmount(100_000_000n),
  unknownBasisRaw: asRawAmount(0n),
  costUsd: asUsdNano(30n * USD),
  realisedUsd: asUsdNano(0n),
  hasKnownCost: true,
  priceUsd: asPriceE18(5n * 10n ** 17n),
  decimals: 6,
};

describe('the profit of a position', () => {
  test('is that of its units of known cost: nothing realised yet, $20 on paper', () => {
    expect(realisedOf(bought)).toBe(0n);
    expect(unrealisedOf(bought)).toBe(20n * USD);
    expect(profitOf(bought)).toBe(20n * USD);
  });

  test('is unknown, and not zero, if its units were only received', () => {
    const received: PositionFigures = {
      ...bought,
      heldRaw: asRawAmount(0n),
      unknownBasisRaw: asRawAmount(100_000_000n),
      costUsd: asUsdNano(0n),
      hasKnownCost: false,
    };
    expect([realisedOf(received), unrealisedOf(received), profitOf(received)]).toEqual([
      null,
      null,
      null,
    ]);
  });
});
