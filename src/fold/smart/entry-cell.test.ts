import { describe, expect, test } from 'vitest';
import { asUsdNano } from '../../model/units.ts';
import { ENTRY_CELLS, entryCellOf } from './entry-cell.ts';

const MINUTE_MS = 60_000;
const dollars = (value: number) => asUsdNano(BigInt(value) * 1_000_000_000n);

describe('the cell of a purchase', () => {
  test.each([
    [0, 0, 0],
    [MINUTE_MS - 1, 9_999, 0],
    [MINUTE_MS, 9_999, 8],
    [0, 10_000, 1],
    [60 * MINUTE_MS, 1_000_000, 8 * 3 + 5],
    [7 * 24 * 60 * MINUTE_MS, 10_000_000, 8 * 6 + 6],
  ])('at an age of %d ms and a market cap of $%d is %d', (ageMs, cap, cell) => {
    expect(entryCellOf({ ageMs, marketCapUsd: dollars(cap) })).toBe(cell);
  });

  test('has a class of its own for an unknown age and an unknown market cap', () => {
    expect(entryCellOf({ ageMs: null, marketCapUsd: dollars(0) })).toBe(56);
    expect(entryCellOf({ ageMs: 0, marketCapUsd: null })).toBe(7);
    expect(entryCellOf({ ageMs: null, marketCapUsd: null })).toBe(ENTRY_CELLS - 1);
  });
});
