import { describe, expect, test } from 'vitest';
import {
  asAddress,
  asLamports,
  asPriceE18,
  asRawAmount,
  asSignature,
  asSlot,
  asUsdNano,
  isSlot,
  SLOT_MAX,
} from './units.ts';

const MINT = 'So11111111111111111111111111111111111111112';

describe('giving a value its unit', () => {
  test('returns the value itself', () => {
    expect(asAddress(MINT)).toBe(MINT);
    expect(asSignature(MINT.repeat(2))).toBe(MINT.repeat(2));
    expect(asSlot(0)).toBe(0);
    expect(asSlot(Number.MAX_SAFE_INTEGER)).toBe(Number.MAX_SAFE_INTEGER);
    for (const as of [asLamports, asRawAmount, asUsdNano, asPriceE18]) expect(as(-7n)).toBe(-7n);
  });

  test.each([[''], ['0OIl'.repeat(10)], ['1'.repeat(31)], ['1'.repeat(45)], [`${MINT}\n`]])(
    'refuses %j as an address',
    (text) => expect(() => asAddress(text)).toThrow(TypeError),
  );

  test('refuses an address as a signature', () => {
    expect(() => asSignature(MINT)).toThrow(TypeError);
  });

  test.each([[-1], [0.5], [2 ** 53], [Number.NaN], [Number.POSITIVE_INFINITY]])(
    'refuses %d as a slot',
    (value) => expect(() => asSlot(value)).toThrow(TypeError),
  );

  test.each([
    [SLOT_MAX - 1, true],
    [SLOT_MAX, false],
    [Number.MAX_SAFE_INTEGER, false],
    [-1, false],
    [1.5, false],
    ['7', false],
    [null, false],
  ])('%j named by a source is a slot: %s', (value, isIt) => {
    expect(isSlot(value)).toBe(isIt);
  });

  test('refuses a number as an amount, whatever the compiler was told', () => {
    for (const as of [asLamports, asRawAmount, asUsdNano, asPriceE18]) {
      expect(() => as(7 as unknown as bigint)).toThrow(TypeError);
    }
  });
});
