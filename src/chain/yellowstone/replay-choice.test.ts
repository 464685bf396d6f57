import { describe, expect, test } from 'vitest';
import type { Slot } from '../../model/units.ts';
import { ReplayChoice } from './replay-choice.ts';

const SLOT = 7 as Slot;
const UNAVAILABLE = { code: 14, message: '' };
const INTERNAL = { code: 13, message: '' };

/** Slots that so many subscriptions ask for when each ends in the same way. */
function asked(choice: ReplayChoice, status: typeof INTERNAL, times: number): (Slot | null)[] {
  return Array.from({ length: times }, () => {
    const slot = choice.begin(SLOT);
    choice.end('retry', status);
    return slot;
  });
}

describe('ReplayChoice', () => {
  test('asks for none before there is a slot to begin at', () => {
    expect(new ReplayChoice().begin(null)).toBeNull();
  });

  test('gives a replay up at once when it is refused, until data came', () => {
    const choice = new ReplayChoice();
    expect(choice.begin(SLOT)).toBe(SLOT);
    choice.end('replay-refused', { code: 11, message: '' });
    expect(choice.begin(SLOT)).toBeNull();
    choice.noteData();
    expect(choice.begin(SLOT)).toBe(SLOT);
  });

  test('gives it up after two answers that brought nothing', () => {
    expect(asked(new ReplayChoice(), INTERNAL, 4)).toEqual([SLOT, SLOT, null, null]);
  });

  test('keeps to it longer while the server cannot be reached', () => {
    const slots = asked(new ReplayChoice(), UNAVAILABLE, 12);
    expect(slots.map((slot) => slot !== null)).toEqual([...Array(10).fill(true), false, false]);
  });

  test('does not blame a replay for the end of a connection that brought data', () => {
    const choice = new ReplayChoice();
    for (let times = 0; times < 20; times++) {
      expect(choice.begin(SLOT)).toBe(SLOT);
      choice.noteData();
      choice.end('retry', INTERNAL);
    }
  });
});
