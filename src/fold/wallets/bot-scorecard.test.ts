import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { logitOf, SCORE_TERMS, scoredTerms, scoreOf } from './bot-scorecard.ts';
import type { WalletFeatures } from './features/wallet-features.ts';

const NOTHING: WalletFeatures = {
  nowS: 0,
  trades: 0,
  failed: 0,
  ageS: 0,
  swaps24h: 0,
  swaps10m: 0,
  roundTrips: 0,
  sandwichLegs: 0,
  sameSlotPairs: 0,
  swapsToday: 0,
  swapsYesterday: 0,
  hoursToday: 0,
  hoursYesterday: 0,
  closedHolds: 0,
  shortHolds: 0,
  gaps: 0,
  fastGaps: 0,
  lnGapDeviation: 0,
  sizedBuys: 0,
  modalSizeBuys: 0,
  modalSizeLamports: 0,
  isModalSizeRound: false,
  firstBuys: 0,
  snipes: 0,
  mintsPerDay: 0,
  privateTrades: 0,
  terminalTrades: 0,
  hasOtherActivity: false,
};

const MONTH_S = 30 * 86_400;

// Computed by hand from the table of METHODS §2.1: weight · clamp((value − from) / (to − from), 0,
// 1).
describe.each([
  ['short_holds', { closedHolds: 20, shortHolds: 11 }, 0.8],
  ['short_holds', { closedHolds: 5, shortHolds: 5 }, 1.6],
  ['short_holds', { closedHolds: 4, shortHolds: 4 }, 0],
  ['fast_gaps', { gaps: 10, fastGaps: 4 }, 0.6],
  ['fast_gaps', { gaps: 9, fastGaps: 9 }, 0],
  ['regular_gaps', { gaps: 20, lnGapDeviation: 0.35 }, 0.75],
  ['regular_gaps', { gaps: 20, lnGapDeviation: 0 }, 1.5],
  ['regular_gaps', { gaps: 19, lnGapDeviation: 0 }, 0],
  ['regular_gaps', { gaps: 20, lnGapDeviation: 3 }, 0],
  ['uniform_size', { sizedBuys: 10, modalSizeBuys: 7 }, 0.5],
  ['uniform_size', { sizedBuys: 10, modalSizeBuys: 10, isModalSizeRound: true }, 0],
  ['uniform_size', { sizedBuys: 9, modalSizeBuys: 9 }, 0],
  ['launch_snipes', { firstBuys: 5, snipes: 2 }, 1.05],
  ['launch_snipes', { firstBuys: 4, snipes: 4 }, 0],
  ['many_mints', { mintsPerDay: 95 }, 0.5],
  ['many_mints', { mintsPerDay: 40 }, 0],
  ['private_program', { trades: 100, privateTrades: 55 }, 0.6],
  ['failed_transactions', { trades: 8, failed: 12 }, 0.4],
  ['failed_transactions', { trades: 0, failed: 19 }, 0],
  ['many_swaps', { swaps24h: 325 }, 0.4],
  ['many_swaps', { swaps24h: 150 }, 0],
  ['trading_terminal', { trades: 2, terminalTrades: 1 }, -0.8],
  ['trading_terminal', { trades: 100, terminalTrades: 49 }, 0],
  ['old_wallet', { hasOtherActivity: true, ageS: MONTH_S }, -0.5],
  ['old_wallet', { hasOtherActivity: true, ageS: MONTH_S - 1 }, 0],
  ['old_wallet', { hasOtherActivity: false, ageS: MONTH_S }, 0],
] as const)('%s with %j', (name, some, expected) => {
  test(`adds ${expected} and nothing else does`, () => {
    const features = { ...NOTHING, ...some };
    const terms = scoredTerms(features);
    const own = terms.filter((term) => term.name === name);
    expect(own.map(({ contribution }) => contribution)).toEqual([expect.closeTo(expected, 12)]);
    const others = terms.filter((term) => term.name !== name);
    expect(others.map(({ contribution }) => contribution)).toEqual(others.map(() => 0));
    expect(logitOf(features)).toBeCloseTo(-2 + expected, 12);
  });
});

test('a wallet without evidence has p of about one in eight, σ(−2)', () => {
  expect(scoreOf(logitOf(NOTHING))).toBeCloseTo(0.119203, 6);
});

/** More than enough for p of one half: −2 + 2.1 = 0.1 and σ(0.1) = 0.52498. */
describe.each([
  ['short_holds', { closedHolds: 30, shortHolds: 24 }, { closedHolds: 29, shortHolds: 29 }, 1.6],
  [
    'fast_gaps',
    { gaps: 30, fastGaps: 18, lnGapDeviation: 3 },
    { gaps: 29, fastGaps: 29, lnGapDeviation: 3 },
    1.2,
  ],
  // 1 − 0.2 is the upper end of the ramp.
  ['regular_gaps', { gaps: 30, lnGapDeviation: 0.2 }, { gaps: 29, lnGapDeviation: 0 }, 1.5],
] as const)('%s, saturated', (name, enough, tooFew, weight) => {
  test('makes a bot alone over 30 observations', () => {
    expect(scoreOf(logitOf({ ...NOTHING, ...enough }))).toBeCloseTo(0.524979, 6);
    const term = scoredTerms({ ...NOTHING, ...enough }).find((one) => one.name === name);
    expect(term).toMatchObject({ weight: 2.1, contribution: 2.1 });
  });

  test('keeps its own weight over 29, which makes none', () => {
    expect(logitOf({ ...NOTHING, ...tooFew })).toBeCloseTo(-2 + weight, 12);
    const term = scoredTerms({ ...NOTHING, ...tooFew }).find((one) => one.name === name);
    expect(term?.weight).toBe(weight);
  });

  test('makes none of a user of a trading terminal: −2 + 2.1 − 0.8 = −0.7', () => {
    const features = { ...NOTHING, ...enough, trades: 40, terminalTrades: 20 };
    expect(logitOf(features)).toBeCloseTo(-0.7, 12);
  });
});

test('a habit just below saturation keeps its own weight', () => {
  // 23 of 30 is 0.7667, on the ramp 0.9333, times 1.6.
  const features = { ...NOTHING, closedHolds: 30, shortHolds: 23 };
  expect(logitOf(features)).toBeCloseTo(-2 + (1.6 * (23 / 30 - 0.3)) / 0.5, 12);
});

test('all eleven terms of METHODS are present', () => {
  const weights = SCORE_TERMS.map(({ weight }) => weight);
  expect(weights).toEqual([1.6, 1.2, 1.5, 1, 2.1, 1, 1.2, 0.8, 0.8, -0.8, -0.5]);
});

/** Features in which a part never exceeds its whole. */
const anyFeatures = fc
  .record({
    trades: fc.nat(1_000),
    failed: fc.nat(1_000),
    swaps24h: fc.nat(1_000),
    closedHolds: fc.nat(50),
    gaps: fc.nat(50),
    lnGapDeviation: fc.double({ min: 0, max: 5, noNaN: true }),
    sizedBuys: fc.nat(50),
    firstBuys: fc.nat(50),
    mintsPerDay: fc.nat(300),
    ageS: fc.nat(2 * MONTH_S),
    hasOtherActivity: fc.boolean(),
    isModalSizeRound: fc.boolean(),
    part: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  .map(({ part, ...some }) => ({
    ...NOTHING,
    ...some,
    shortHolds: some.closedHolds * part,
    fastGaps: some.gaps * part,
    modalSizeBuys: some.sizedBuys * part,
    snipes: some.firstBuys * part,
    privateTrades: some.trades * part,
  }));

test('a trading terminal never raises p, regardless of other features', () => {
  fc.assert(
    fc.property(anyFeatures, fc.double({ min: 0, max: 1, noNaN: true }), (features, terminal) => {
      const without = logitOf({ ...features, terminalTrades: 0 });
      const terminalTrades = features.trades * terminal;
      expect(logitOf({ ...features, terminalTrades })).toBeLessThanOrEqual(without);
    }),
    { numRuns: 1_000 },
  );
});

test('four trades, four closed holds and nineteen attempts are too few for a bot', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(
      fc.nat(4),
      fc.nat(14),
      fc.nat(4),
      share,
      share,
      (trades, failed, closedHolds, one, two) => {
        const few = {
          trades,
          failed,
          closedHolds,
          shortHolds: closedHolds * one,
          gaps: Math.max(0, trades - 1),
          swaps24h: trades,
          mintsPerDay: trades,
          firstBuys: trades,
          snipes: trades * two,
          sizedBuys: trades,
          modalSizeBuys: trades,
          privateTrades: trades * one,
        };
        expect(logitOf({ ...NOTHING, ...few })).toBeLessThan(0);
      },
    ),
    { numRuns: 500 },
  );
});

test('more evidence for a bot never lowers p', () => {
  const counts = ['swaps24h', 'mintsPerDay', 'shortHolds', 'fastGaps', 'snipes'] as const;
  fc.assert(
    fc.property(anyFeatures, fc.constantFrom(...counts), (features, name) => {
      const more = logitOf({ ...features, [name]: features[name] + 1 });
      expect(more).toBeGreaterThanOrEqual(logitOf(features));
    }),
    { numRuns: 1_000 },
  );
});
