import { describe, expect, test } from 'vitest';
import { e18, pricedTrade, SOL, TOKEN } from '../../../tests/support/build-trades.ts';

const TRADE = { slot: 1, timeMs: 0, trader: 'a', side: 'buy' } as const;

describe('a swap by itself', () => {
  test.each([
    // SOL at 200 USD: 50,000 lamports are one cent.
    [50_000n, TOKEN, null],
    [49_999n, TOKEN, 'dust'],
    [SOL, 1_000n, null],
    [SOL, 999n, 'dust'],
    [SOL, 0n, 'dust'],
  ])('of %s lamports for %s raw tokens is excluded as %s', (quoteRaw, baseRaw, exclusion) => {
    expect(pricedTrade({ ...TRADE, baseRaw, quoteRaw }).exclusion).toBe(exclusion);
  });

  test.each([
    [9, 10_000n, null],
    [9, 9_999n, 'dust'],
    [6, 10n, null],
    [6, 9n, 'dust'],
    [12, 10_000_000n, null],
    [12, 9_999_999n, 'dust'],
  ])(
    'is dust below 10^-5 quote tokens if USD is unknown (%s decimals, %s raw: %s)',
    (quoteDecimals, quoteRaw, exclusion) => {
      const rest = { quoteDecimals };
      const priced = pricedTrade({ ...TRADE, baseRaw: TOKEN, quoteRaw, rest }, null);
      expect(priced.exclusion).toBe(exclusion);
    },
  );

  test('is dust when its price is below the last decimal', () => {
    // 10^5 lamports for 10^20 tokens is 10^-24 SOL each.
    const priced = pricedTrade({ ...TRADE, baseRaw: 10n ** 26n, quoteRaw: 100_000n });
    expect(priced.price).toBe(0n);
    expect(priced.exclusion).toBe('dust');
  });

  test.each([
    [{ isIntermediateHop: true }, null],
    [{ isIntermediateHop: true, isPureArbitrage: true }, 'pure_arbitrage'],
    [{ isAtomicRoundTrip: true }, 'atomic_round_trip'],
    [{ isPureArbitrage: true, quarantine: 'legs contradict' }, 'quarantined'],
  ])('is excluded for the first rule that holds: %j is %s', (rest, exclusion) => {
    expect(pricedTrade({ ...TRADE, baseRaw: TOKEN, quoteRaw: SOL, rest }).exclusion).toBe(
      exclusion,
    );
  });

  test('keeps its volume for any exclusion', () => {
    const priced = pricedTrade({ ...TRADE, baseRaw: 10n, quoteRaw: SOL }, e18(150));
    expect(priced.exclusion).toBe('dust');
    expect(priced.valueUsd).toBe(150_000_000_000n);
  });
});
