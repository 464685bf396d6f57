import { describe, expect, test } from 'vitest';
import { asSlot } from '../../model/units.ts';
import { knownTimeMs, LogicalClock } from './logical-time.ts';

describe('the logical clock', () => {
  test('never decreases when block times do', () => {
    const clock = new LogicalClock();
    const times = [1_000, 5_000, 3_000, 5_000, 6_000];
    expect(times.map((ms, at) => clock.advance(asSlot(at), ms))).toEqual(
      [1_000, 5_000, 5_000, 5_000, 6_000].map((timeMs, at) => ({
        slot: at,
        timeMs,
        isTimeKnown: true,
      })),
    );
  });

  test('carries a time over 150 slots but no further', () => {
    const clock = new LogicalClock();
    clock.advance(asSlot(100), 2_000);
    expect(clock.advance(asSlot(101), null)).toEqual({
      slot: 101,
      timeMs: 2_000,
      isTimeKnown: true,
    });
    expect(clock.advance(asSlot(250), null).isTimeKnown).toBe(true);
    const far = clock.advance(asSlot(251), null);
    expect(far).toEqual({ slot: 251, timeMs: 2_000, isTimeKnown: false });
    expect(knownTimeMs(far)).toBeNull();
    expect(clock.advance(asSlot(252), 9_000)).toEqual({
      slot: 252,
      timeMs: 9_000,
      isTimeKnown: true,
    });
  });

  test('has no known time before the first block time', () => {
    expect(knownTimeMs(new LogicalClock().advance(asSlot(7), null))).toBeNull();
  });
});
