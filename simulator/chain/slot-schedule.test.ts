import { describe, expect, test } from 'vitest';
import type { Address } from '../../src/model/units.ts';
import { Random } from '../random.ts';
import { SlotSchedule } from './slot-schedule.ts';

function schedule(): SlotSchedule {
  return new SlotSchedule(new Random('schedule'), {
    firstSlot: 1_000,
    startMs: 0,
    paces: [{ fromSlot: 0, slotMs: 400 }],
    leaders: ['Leader' as Address],
    skipRate: 0,
  });
}

describe('the schedule of slots', () => {
  test('lets whole slots pass up to a time and numbers on behind them', () => {
    const slots = schedule();
    slots.passUntil(10_000);
    expect(slots.nextStartMs).toBe(10_000);
    expect(slots.next().slot).toBe(1_025);
  });

  test('stays where less than a slot is left, and never goes back', () => {
    const slots = schedule();
    slots.passUntil(399);
    slots.passUntil(-5_000);
    expect(slots.next()).toMatchObject({ slot: 1_000, startMs: 0 });
  });
});
