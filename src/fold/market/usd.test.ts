import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { e18, pricedTrade, SOL, TOKEN } from '../../../tests/support/build-trades.ts';

import { usdOf } from './usd.ts';

const TRADE = { slot: 1, timeMs: 10_000, trader: 'a', side: 'buy' } as const;

describe('the price of a swap', () => {
  test('is quote per base in whole units, and its value the quote in USD', () => {
    // F1: 1 SOL buys 1,000,000 tokens, SOL at 200 USD.
    const priced = pricedTrade({ ...TRADE, baseRaw: 1_000_000n * TOKEN, quoteRaw: SOL });
    expect(priced.price).toBe(1_000_000_000_000n);
    expect(priced.priceUsd).toBe(200_000_000_000_000n);
    expect(priced.valueUsd).toBe(200_000_000_000n);
    expect(priced.exclusion).toBeNull();
  });

  test('is taken from the pool side, in either direction', () => {
    const sell = pricedTrade({ ...TRADE, side: 'sell', baseRaw: 4n * TOKEN, quoteRaw: 2n * SOL });
    expect(sell.price).toBe(e18(0.5));
    expect(sell.valueUsd).toBe(400_000_000_000n);
  });

  test('rounds half up at the last decimal', () => {
    // 2 / 3 SOL per token: the last decimal of 0.666… is 7.
    expect(pricedTrade({ ...TRADE, baseRaw: 3n * TOKEN, quoteRaw: 2n * SOL }).price).toBe(
      666_666_666_666_666_667n,
    );
  });

  test('supports a quote with more decimals than base and price together', () => {
    // 25 quote decimals and no base decimals: 3·10^25 raw for 2,000 whole is 0.0015.
    const rest = { baseDecimals: 0, quoteDecimals: 25 };
    const priced = pricedTrade({ ...TRADE, baseRaw: 2_000n, quoteRaw: 3n * 10n ** 25n, rest });
    expect(priced.price).toBe(e18(0.0015));
    expect(priced.priceUsd).toBe(e18(0.3));
  });

  test('keeps digits in USD that a tiny price in quote has lost', () => {
    // 7 lamports for 3·10^14 raw of 6 decimals: 7e-9 / 3e8 SOL = 2.333…e-17, 23 at the 18th digit.
    const priced = pricedTrade({ ...TRADE, baseRaw: 3n * 10n ** 14n, quoteRaw: 7n });
    expect(priced.price).toBe(23n);
    expect(priced.priceUsd).toBe(4_667n);
  });

  test.each([
    // 2^255 is 5.8 · 10^76; eighteen of its digits are decimals.
    [58, true],
    [59, false],
  ])('of 10^%i SOL a token is known: %s', (exponent, isKnown) => {
    // 1 SOL for 1,000 raw units of a token with this many decimals and three more.
    const rest = { baseDecimals: exponent + 3 };
    const priced = pricedTrade({ ...TRADE, baseRaw: 1_000n, quoteRaw: SOL, rest }, e18(1));
    const price = isKnown ? 10n ** BigInt(exponent + 18) : null;
    expect([priced.price, priced.priceUsd]).toEqual([price, price]);
    expect(priced.exclusion).toBe(isKnown ? null : 'dust');
    expect(priced.valueUsd).toBe(1_000_000_000n);
  });

  test('has no USD values while the reference is unknown', () => {
    const priced = pricedTrade({ ...TRADE, baseRaw: TOKEN, quoteRaw: SOL }, null);
    expect(priced.price).toBe(e18(1));
    expect(priced.priceUsd).toBeNull();
    expect(priced.valueUsd).toBeNull();
  });

  test('is unknown when no base moved', () => {
    const priced = pricedTrade({ ...TRADE, baseRaw: 0n, quoteRaw: SOL });
    expect(priced.price).toBeNull();
    expect(priced.priceUsd).toBeNull();
    expect(priced.valueUsd).toBe(200_000_000_000n);
  });

  test('in USD is the quote figure times an integer reference, except for rounding', () => {
    const amount = fc.bigInt(1n, 10n ** 18n);
    fc.assert(
      fc.property(amount, amount, fc.integer({ min: 1, max: 1_000 }), (baseRaw, quoteRaw, usd) => {
        const priced = pricedTrade({ ...TRADE, baseRaw, quoteRaw }, e18(usd));
        const factor = BigInt(usd);
        expect(priced.valueUsd).toBe(quoteRaw * factor);
        const difference = (priced.priceUsd ?? 0n) - (priced.price ?? 0n) * factor;
        expect(2n * (difference < 0n ? -difference : difference)).toBeLessThanOrEqual(factor + 1n);
      }),
    );
  });
});

describe('usdOf', () => {
  test('rounds half a nano-dollar up', () => {
    // 5 raw of 18 decimals at 0.1 USD is 5e-19 USD; 5·10^9 of them are half a nano-dollar.
    expect(usdOf(5n * 10n ** 9n, 18, e18(0.1))).toBe(1n);
    expect(usdOf(5n * 10n ** 9n - 1n, 18, e18(0.1))).toBe(0n);
  });
});
