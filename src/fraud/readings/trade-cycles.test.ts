import { describe, expect, it } from 'vitest';
import { aBuy, aSell, sol } from '../../../tests/support/mint-case.ts';
import type { CaseTrade } from '../../model/mint-case.ts';
import { asRawAmount } from '../../model/units.ts';
import { isMakerLike, readCycles } from './trade-cycles.ts';

type Draft = readonly (readonly [side: 'buy' | 'sell', amount: number, whole: number])[];
const tradesOf = (draft: Draft): CaseTrade[] =>
  draft.map(([side, amount, whole], at) =>
    (side === 'buy' ? aBuy : aSell)('w', {
      slot: 1_000 + at,
      baseRaw: asRawAmount(BigInt(amount)),
      lamports: sol(whole),
    }),
  );
/**
 * Cycles, some of which are sold at a gain of 1 %, the others at a loss of 1 %.
 */
const turns = (count: number, gains: number): CaseTrade[] =>
  tradesOf(
    Array.from({ length: count }, (_, at) => [
      ['buy', 100, 1] as const,
      ['sell', 100, at < gains ? 1.01 : 0.99] as const,
    ]).flat(),
  );

describe('trades in turn', () => {
  it('are counted as alternating runs, with those that gain', () => {
    const cycles = readCycles(
      tradesOf([
        ['buy', 100, 1],
        ['buy', 100, 3],
        ['sell', 200, 5],
        ['sell', 10, 1],
        ['buy', 10, 2],
      ]),
      0,
    );
    // Two runs make the first cycle: bought at 0.02, sold at 6 / 210. The rest makes no other one.
    expect(cycles.count).toBe(1);
    expect(cycles.gains).toBe(1);
  });

  it('also gain when sold tokens are bought back for less', () => {
    expect(
      readCycles(
        tradesOf([
          ['sell', 100, 2],
          ['buy', 100, 1],
        ]),
        0,
      ).gains,
    ).toBe(1);
    expect(
      readCycles(
        tradesOf([
          ['sell', 100, 2],
          ['buy', 100, 2],
        ]),
        0,
      ).gains,
    ).toBe(0);
  });

  it('have a profit of proceeds plus remaining tokens, relative to volume', () => {
    // Paid 3, got 2, 50 left at 0.01 SOL each: half a SOL lost of 5.
    const trades = tradesOf([
      ['buy', 150, 3],
      ['sell', 100, 2],
    ]);
    expect(readCycles(trades, 1e7).profitShare).toBeCloseTo(-0.1, 12);
    expect(readCycles([], 1).profitShare).toBeNull();
  });

  it('have a swing between the largest and the smallest stock', () => {
    // +100, −50, +0: from −50 to 100 of 250 traded.
    const trades = tradesOf([
      ['buy', 100, 1],
      ['sell', 150, 1],
    ]);
    expect(readCycles(trades, 0).swing).toBeCloseTo(150 / 250, 12);
    expect(readCycles([], 0).swing).toBe(0);
  });
});

describe('a maker', () => {
  const isMaker = (count: number, gains: number, lamportsPerRaw = 0) =>
    isMakerLike(readCycles(turns(count, gains), lamportsPerRaw));

  it('has ten cycles or more', () => {
    expect(isMaker(10, 5)).toBe(true);
    expect(isMaker(9, 4)).toBe(false);
  });

  it('trades with and against the price', () => {
    expect(isMaker(12, 2)).toBe(true);
    expect(isMaker(12, 1)).toBe(false);
    expect(isMaker(12, 0)).toBe(false);
  });

  it('has a profit of at most a thousandth', () => {
    // Of 20 cycles g gains and 20 − g losses of 0.01 each: (2g − 20) · 0.01 of about 40.
    expect(isMaker(20, 11)).toBe(true);
    expect(isMaker(20, 13)).toBe(false);
  });
});
