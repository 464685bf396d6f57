import { describe, expect, test } from 'vitest';
import { address } from '../../tests/support/build-transaction.ts';
import { Random } from '../random/random.ts';
import { SlotSchedule } from './slot-schedule.ts';

function schedule(): SlotSchedule {
  return new SlotSchedule(new Random('schedule'), {
    firstSlot: 1_000,
    startMs: 0,
    paces: [{ fromSlot: 0, slotMs: 400 }],
    leaders: [address('Leader')],
    skipRate: 0,
  });
}

describe('the slot schedule', () => {
  test('skips whole slots up to a time and continues their numbering', () => {
    const slots = schedule();
    slots.passUntil(10_000);
    expect(slots.nextStartMs).toBe(10_000);
    expect(slots.next().slot).toBe(1_025);
  });

  test('does not skip less than a slot, and never goes back', () => {
    const slots = schedule();
    slots.passUntil(399);
    slots.passUntil(-5_000);
    expect(slots.next()).toMatchObject({ slot: 1_000, startMs: 0 });
  });
});
