import { Decimal as Independent } from 'decimal.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDecimals, compareDecimals, fromUnits, parseDecimal, toUnits } from './decimal.ts';

const units = fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n });
const scale = fc.integer({ min: 0, max: 18 });

describe('a decimal of the API', () => {
  test('keeps digits that a number would lose', () => {
    expect(parseDecimal('18446744073709551615.000000001')).toEqual({
      digits: 18446744073709551615000000001n,
      scale: 9,
    });
    expect(toUnits('-0.000000001', 9)).toBe(-1n);
    expect(fromUnits(-5n, 3)).toBe('-0.005');
  });

  test('is the same after it was units of any scale', () => {
    fc.assert(
      fc.property(units, scale, (value, digits) => {
        expect(toUnits(fromUnits(value, digits), digits)).toBe(value);
      }),
    );
  });

  test('adds and compares as an independent library does', () => {
    const Exact = Independent.clone({ precision: 100, toExpPos: 100, toExpNeg: -100 });
    fc.assert(
      fc.property(units, scale, units, scale, (left, one, right, other) => {
        const [a, b] = [fromUnits(left, one), fromUnits(right, other)];
        expect(new Exact(addDecimals(a, b)).eq(new Exact(a).plus(b))).toBe(true);
        expect(Math.sign(compareDecimals(a, b))).toBe(new Exact(a).cmp(b) + 0);
      }),
    );
  });

  test.each(['', '1e5', '.5', '1.', '+1', ' 1', '1,0', 'NaN', '0x10', '--1'])('is not %j', (text) =>
    expect(() => parseDecimal(text)).toThrow(RangeError),
  );

  test('is not cut: digits beyond the scale are an error, zeros are not', () => {
    expect(toUnits('1.500', 1)).toBe(15n);
    expect(() => toUnits('1.501', 1)).toThrow(RangeError);
  });
});
