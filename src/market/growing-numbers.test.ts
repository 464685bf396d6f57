import { expect, test } from 'vitest';
import { GrowingNumbers } from './growing-numbers.ts';

test('numbers are kept while the array grows; 0 is where none was set', () => {
  const numbers = new GrowingNumbers('u32');
  expect([numbers.get(0), numbers.get(1e6)]).toEqual([0, 0]);
  numbers.set(3, 2 ** 32 - 1);
  numbers.set(50_000, 7);
  numbers.set(90_000, 0);
  expect([3, 4, 50_000, 50_001, 90_000].map((at) => numbers.get(at))).toEqual([
    2 ** 32 - 1,
    0,
    7,
    0,
    0,
  ]);
  // Four bytes each, and a quarter of room.
  expect(numbers.allocatedBytes).toBeLessThanOrEqual(50_001 * 4 * 1.25 + 4);
});
