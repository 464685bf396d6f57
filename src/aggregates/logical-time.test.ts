import { describe, expect, test } from 'vitest';
import { LogicalClock } from './logical-time.ts';

describe('the logical clock', () => {
  test('never goes back when block times do', () => {
    const clock = new LogicalClock();
    expect([1_000, 5_000, 3_000, 5_000, 6_000].map((ms) => clock.advance(ms))).toEqual([
      1_000, 5_000, 5_000, 5_000, 6_000,
    ]);
    expect(clock.estimatedSlotCount).toBe(0);
  });

  test('keeps the previous time for a slot without one and counts it', () => {
    const clock = new LogicalClock();
    clock.advance(2_000);
    expect(clock.advance(null)).toBe(2_000);
    expect(clock.advance(3_000)).toBe(3_000);
    expect(clock.estimatedSlotCount).toBe(1);
  });
});
