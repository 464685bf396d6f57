import { describe, expect, it } from 'vitest';
import { aBuy, aTrade, sol, supplyShare } from '../../../tests/support/mint-case.ts';
import type { CaseTrade } from '../../model/mint-case.ts';
import { fallOf, lowestFrom, priceBefore, vwapSol } from './price-readings.ts';

const SPAN = { spanMs: 300_000, decimals: 6 };
/** 10^6 whole tokens at a price in millionths of a SOL. */
const pricedAt = (second: number, micro: number, rest: Partial<CaseTrade> = {}) =>
  aTrade('w', {
    ...{ slot: second, timeMs: second * 1_000, baseRaw: supplyShare(0.001) },
    ...{ lamports: sol(micro), priceSol: micro / 1e6, ...rest },
  });

describe('the price before a transaction', () => {
  const sale = pricedAt(1_000, 9);

  it('is weighted by volume over five minutes', () => {
    const double = { baseRaw: supplyShare(0.002), lamports: sol(8) };
    // One million tokens at 1 and two million at 4 cost 9 SOL; older trades do not count.
    const trades = [pricedAt(699, 7), pricedAt(700, 1), pricedAt(900, 4, double), sale];
    expect(priceBefore(trades, sale, SPAN)).toBeCloseTo(3e-6, 15);
  });

  it('is the last one if nothing was traded in that time', () => {
    expect(priceBefore([pricedAt(1, 5), pricedAt(2, 6), sale], sale, SPAN)).toBe(6e-6);
  });

  it('is unknown without a price', () => {
    expect(priceBefore([sale, pricedAt(1_001, 3)], sale, SPAN)).toBeNull();
  });

  it.each([
    ['set no price', { priceSol: null }],
    ['were round trips', { isRoundTrip: true }],
    ['were legs of an arbitrage', { isArbitrage: true }],
  ])('leaves out trades that %s', (_, rest) => {
    expect(priceBefore([pricedAt(1, 5), pricedAt(999, 1, rest), sale], sale, SPAN)).toBe(5e-6);
  });
});

describe('the lowest price', () => {
  it('is searched from a transaction until a time, both included', () => {
    const trades = [1, 2, 3, 4].map((second) => pricedAt(second, 10 - second));
    const [before, from] = trades;
    if (before === undefined || from === undefined) throw new Error('four trades');
    expect(lowestFrom(trades, from, 3_000)?.priceSol).toBe(7e-6);
    expect(lowestFrom(trades, from, 4_000)?.priceSol).toBe(6e-6);
    expect(lowestFrom([before], from, 4_000)).toBeNull();
  });
});

describe('a fall', () => {
  it('is the lost part of the price', () => {
    expect(fallOf(4, 1)).toBe(0.75);
    expect(fallOf(4, 5)).toBe(0);
    expect(fallOf(null, 1)).toBe(0);
    expect(fallOf(4, null)).toBe(0);
  });
});

describe('a mean price', () => {
  it('is in SOL for a whole token, for any decimals', () => {
    const trade = aBuy('w', { baseRaw: supplyShare(0.001), lamports: sol(2) });
    expect(vwapSol([trade], 6)).toBeCloseTo(2e-6, 18);
    expect(vwapSol([trade], 9)).toBeCloseTo(2e-3, 15);
    expect(vwapSol([], 6)).toBeNull();
  });
});
