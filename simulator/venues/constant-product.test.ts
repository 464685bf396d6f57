import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { divideUp, inputOf, outputOf, squareRoot } from './constant-product.ts';

const reserve = fc.bigInt(1n, 10n ** 18n);
const amount = fc.bigInt(1n, 10n ** 18n);

describe('the arithmetic of constant products', () => {
  test('pays the most that does not lower the product of the reserves', () => {
    fc.assert(
      fc.property(amount, reserve, reserve, (inRaw, x, y) => {
        const out = outputOf(inRaw, x, y);
        const productWith = (paid: bigint) => (x + inRaw) * (y - paid);
        return productWith(out) >= x * y && productWith(out + 1n) < x * y;
      }),
    );
  });

  test('takes the least for which an amount is paid', () => {
    fc.assert(
      fc.property(fc.bigInt(1n, 10n ** 18n), reserve, fc.bigInt(2n, 10n ** 18n), (want, x, y) => {
        const out = (want % (y - 1n)) + 1n;
        const inRaw = inputOf(out, x, y);
        return outputOf(inRaw, x, y) >= out && (inRaw === 0n || outputOf(inRaw - 1n, x, y) < out);
      }),
    );
  });

  test('finds the integer part of a square root', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 2n ** 200n), (square) => {
        const root = squareRoot(square);
        return root * root <= square && (root + 1n) * (root + 1n) > square;
      }),
    );
  });

  test('rounds a quotient up only if there is a remainder', () => {
    expect([divideUp(9n, 3n), divideUp(10n, 3n), divideUp(0n, 3n)]).toEqual([3n, 4n, 0n]);
  });
});
