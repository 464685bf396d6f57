import { describe, expect, test } from 'vitest';
import { asSlot } from '../../model/units.ts';
import { isSpike, mayBeSpike, type TradedSlot } from './spike.ts';

/** A traded slot with vwap `price`, in thousandths. */
function tradedSlot(price: bigint, timeMs = 0): TradedSlot {
  return { slot: asSlot(1), timeMs, quoteRaw: price * 7n, baseRaw: 7_000n };
}

describe('a spike', () => {
  // e^0.25 = 1.2840…, e^0.05 = 1.0512…
  test.each([
    [1_000n, 1_285n, 1_000n, true],
    [1_000n, 1_284n, 1_000n, false],
    [1_000n, 778n, 1_000n, true],
    [1_000n, 779n, 1_000n, false],
    [1_000n, 2_000n, 1_051n, true],
    [1_000n, 2_000n, 1_052n, false],
    [1_051n, 2_000n, 1_000n, true],
    [1_052n, 2_000n, 1_000n, false],
    [1_000n, 1_300n, 1_040n, false],
    [1_000n, 2_000n, 4_000n, false],
  ])('of %s, %s, %s thousandths is %s', (before, middle, after, expected) => {
    expect(isSpike(tradedSlot(before), tradedSlot(middle), tradedSlot(after))).toBe(expected);
  });

  test('must return within ten seconds', () => {
    const [before, middle] = [tradedSlot(1_000n), tradedSlot(2_000n, 5_000)];
    expect(isSpike(before, middle, tradedSlot(1_000n, 10_000))).toBe(true);
    expect(isSpike(before, middle, tradedSlot(1_000n, 11_000))).toBe(false);
  });

  test('is possible as long as a third slot can follow in time', () => {
    expect(mayBeSpike(tradedSlot(1_000n), tradedSlot(1_285n, 10_000))).toBe(true);
    expect(mayBeSpike(tradedSlot(1_000n), tradedSlot(778n, 10_000))).toBe(true);
    expect(mayBeSpike(tradedSlot(1_000n), tradedSlot(1_284n, 10_000))).toBe(false);
    expect(mayBeSpike(tradedSlot(1_000n), tradedSlot(1_285n, 10_001))).toBe(false);
  });
});
