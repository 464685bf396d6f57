import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  divide,
  formatFixed,
  formatRounded,
  formatTrimmed,
  mulDiv,
  parseDecimal,
} from './decimal.ts';

const Exact = Decimal.clone({ precision: 200, toExpNeg: -200, toExpPos: 200 });
const amount = fc.bigInt(-(2n ** 128n), 2n ** 128n);
const scale = fc.integer({ min: 0, max: 30 });

describe('A-14 formatting', () => {
  test.each([
    [0n, 9, '0.000000000', '0'],
    [1n, 9, '0.000000001', '0.000000001'],
    [1_500_000_000n, 9, '1.500000000', '1.5'],
    [-25n, 1, '-2.5', '-2.5'],
    [-5n, 3, '-0.005', '-0.005'],
    [42n, 0, '42', '42'],
    [100n, 0, '100', '100'],
    [100n, 2, '1.00', '1'],
  ])('%s at scale %i is %s, trimmed %s', (raw, digits, fixed, trimmed) => {
    expect(formatFixed(raw, digits)).toBe(fixed);
    expect(formatTrimmed(raw, digits)).toBe(trimmed);
  });

  test('agrees with decimal.js and never writes an exponent', () => {
    fc.assert(
      fc.property(amount, scale, (raw, digits) => {
        const expected = new Exact(raw.toString()).div(new Exact(10).pow(digits));
        expect(formatFixed(raw, digits)).toBe(expected.toFixed(digits));
        expect(formatTrimmed(raw, digits)).toBe(expected.toFixed());
      }),
    );
  });

  test('rounds half away from zero', () => {
    expect(formatRounded(125n, 2, 1)).toBe('1.3');
    expect(formatRounded(-125n, 2, 1)).toBe('-1.3');
    expect(formatRounded(124n, 2, 1)).toBe('1.2');
  });
});

describe('A-14 division', () => {
  test('agrees with decimal.js in both roundings', () => {
    fc.assert(
      fc.property(amount, amount, amount, (a, b, c) => {
        fc.pre(c !== 0n);
        const exact = new Exact(a.toString()).mul(b.toString()).div(c.toString());
        expect(mulDiv(a, b, c, 'down')).toBe(BigInt(exact.toFixed(0, Decimal.ROUND_DOWN)));
        expect(mulDiv(a, b, c, 'half-up')).toBe(BigInt(exact.toFixed(0, Decimal.ROUND_HALF_UP)));
      }),
    );
  });

  test('refuses a zero divisor', () => {
    expect(() => divide(1n, 0n, 'down')).toThrow(RangeError);
  });
});

describe('A-14 parseDecimal', () => {
  test('parses everything that was formatted', () => {
    fc.assert(
      fc.property(amount, scale, (raw, digits) => {
        expect(parseDecimal(formatFixed(raw, digits), digits)).toBe(raw);
        expect(parseDecimal(formatTrimmed(raw, digits), digits)).toBe(raw);
      }),
    );
  });

  test.each(['', '.', '1.', '.5', '1e3', '+1', ' 1', '1,5', '0x10', 'NaN', '1.2345', '١'])(
    'rejects %j at scale 3',
    (text) => {
      expect(parseDecimal(text, 3)).toBeNull();
    },
  );
});
