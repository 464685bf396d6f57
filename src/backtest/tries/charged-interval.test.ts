import { describe, expect, test } from 'vitest';
import { chargedInterval, stretchOf } from './charged-interval.ts';

describe('an interval that is charged for tries', () => {
  test('is unchanged for one', () => {
    expect(chargedInterval(2, [1, 4], 1)).toEqual([1, 4]);
  });

  // Tables of Bonferroni's critical values: 1.9600 for one comparison, 2.2414 for two, 2.8070 for
  // ten, each at 5 %.
  test.each([
    [2, 2.2414 / 1.96],
    [10, 2.807 / 1.96],
  ])('of %d tries is as much wider as the critical value', (tries, stretch) => {
    expect(stretchOf(tries)).toBeCloseTo(stretch, 3);
    const [low, high] = chargedInterval(2, [1, 4], tries);
    expect(low).toBeCloseTo(2 - stretch, 2);
    expect(high).toBeCloseTo(2 + 2 * stretch, 2);
  });
});
