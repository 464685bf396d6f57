import { describe, expect, it } from 'vitest';
import { aBuy, aSell } from '../../../tests/support/mint-case.ts';
import { asRawAmount } from '../../model/units.ts';
import { findSaleWindows } from './sale-windows.ts';

const SPAN_MS = 600_000;
const sellAt = (second: number, amount: number) =>
  aSell('w', { slot: second, timeMs: second * 1_000, baseRaw: asRawAmount(BigInt(amount)) });
const buyAt = (second: number) => aBuy('w', { slot: second, timeMs: second * 1_000 });
const spansOf = (sales: ReturnType<typeof sellAt>[], purchases: ReturnType<typeof buyAt>[] = []) =>
  findSaleWindows(sales, purchases, SPAN_MS).map(({ first, last, soldRaw }) => [
    first.slot,
    last.slot,
    Number(soldRaw),
  ]);

describe('windows of sales', () => {
  it('are as long as allowed', () => {
    expect(spansOf([sellAt(0, 5), sellAt(600, 5)])).toEqual([[0, 600, 10]]);
    expect(spansOf([sellAt(0, 5), sellAt(601, 6)])).toEqual([
      [601, 601, 6],
      [0, 0, 5],
    ]);
  });

  it('are the largest, then those that do not overlap them', () => {
    // From 300 on there are 60 within the span; the 30 from 0 on share a sale with these.
    expect(spansOf([sellAt(0, 10), sellAt(300, 20), sellAt(800, 40), sellAt(2_000, 1)])).toEqual([
      [300, 800, 60],
      [2_000, 2_000, 1],
    ]);
  });

  it('include those that end at the next purchase', () => {
    expect(spansOf([sellAt(0, 10), sellAt(10, 10), sellAt(100, 7)], [buyAt(50)])).toEqual([
      [0, 100, 27],
      [0, 10, 20],
      [100, 100, 7],
    ]);
  });

  it('are at most sixteen of a kind', () => {
    const sales = Array.from({ length: 40 }, (_, at) => sellAt(at * 1_000, 100 - at));
    expect(spansOf(sales)).toHaveLength(16);
  });

  it('are none without sales', () => {
    expect(spansOf([], [buyAt(0)])).toEqual([]);
  });
});
