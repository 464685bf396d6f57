import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseDecimal } from '../../lib/decimal.ts';
import { asLamports, asPriceE18, asRawAmount, asUsdNano } from '../../model/units.ts';
import {
  formatInstant,
  formatMinute,
  formatPrice,
  formatSol,
  formatTokens,
  formatUsd,
} from './format-wire.ts';

const U64_MAX = 2n ** 64n - 1n;
const PLAIN_DECIMAL = /^-?(0|[1-9][0-9]*)(\.[0-9]+)?$/;

describe('formatInstant', () => {
  test('formats like Date', () => {
    const day = 86_400_000;
    const times = fc.oneof(
      fc.integer({ min: 0, max: Date.UTC(9999, 11, 31) }),
      fc.integer({ min: 0, max: 3_000_000 }).map((days) => days * day),
      fc.integer({ min: 1, max: 3_000_000 }).map((days) => days * day - 1),
    );
    fc.assert(
      fc.property(times, (timeMs) => {
        expect(formatInstant(timeMs)).toBe(new Date(timeMs).toISOString());
      }),
    );
  });
});

describe('formatMinute', () => {
  test('formats like Date, for every minute of a day and times in between', () => {
    const startMs = Date.UTC(2024, 1, 29);
    const minutes = Array.from({ length: 1_441 }, (_, at) => startMs + at * 60_000);
    for (const timeMs of [...minutes, startMs + 1, startMs - 1, startMs + 59_999]) {
      expect(formatMinute(timeMs)).toBe(new Date(timeMs).toISOString());
    }
  });
});

describe('amounts', () => {
  test.each([
    [0n, '0.000000000'],
    [1n, '0.000000001'],
    [85_000_000_000n, '85.000000000'],
    [U64_MAX, '18446744073.709551615'],
  ])('%i lamports are %s SOL', (lamports, text) => {
    expect(formatSol(asLamports(lamports))).toBe(text);
  });

  test.each([
    [0, '18446744073709551615'],
    [6, '18446744073709.551615'],
    [9, '18446744073.709551615'],
    [20, '0.18446744073709551615'],
  ])('the largest u64 at %i decimals is %s', (decimals, text) => {
    expect(formatTokens(asRawAmount(U64_MAX), decimals)).toBe(text);
  });

  test.each([
    [4_999_999n, '0.00'],
    [5_000_000n, '0.01'],
    [1_284_729_470_000_000n, '1284729.47'],
  ])('%i nano-USD are %s USD', (nano, text) => {
    expect(formatUsd(asUsdNano(nano))).toBe(text);
  });

  test('only trailing zeros of prices are removed', () => {
    expect(formatPrice(asPriceE18(346_289_000_000_000n))).toBe('0.000346289');
    expect(formatPrice(asPriceE18(100_000_000_000_000_000_000n))).toBe('100');
  });

  test('null stays null', () => {
    const unknown = [formatSol(null), formatUsd(null), formatPrice(null)];
    expect(unknown).toEqual([null, null, null]);
    expect(formatTokens(null, 6)).toBeNull();
    expect(formatTokens(asRawAmount(1n), null)).toBeNull();
  });

  test('are plain decimals that parse back exactly, for every mint', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, U64_MAX), fc.integer({ min: 0, max: 255 }), (raw, decimals) => {
        const text = formatTokens(asRawAmount(raw), decimals) ?? '';
        expect(text).toMatch(PLAIN_DECIMAL);
        expect(parseDecimal(text, decimals)).toBe(raw);
        const price = formatPrice(asPriceE18(raw)) ?? '';
        expect(price).toMatch(PLAIN_DECIMAL);
        expect(parseDecimal(price, 18)).toBe(raw);
      }),
    );
  });
});
