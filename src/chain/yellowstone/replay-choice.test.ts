import { describe, expect, test } from 'vitest';
import { asSlot, type Slot } from '../../model/units.ts';
import { ReplayChoice } from './replay-choice.ts';

const SLOT = asSlot(7);
const UNAVAILABLE = { code: 14, message: '' };
const INTERNAL = { code: 13, message: '' };

/** Replay slots of this many subscriptions when each ends in the same way. */
function replayFrom(choice: ReplayChoice, status: typeof INTERNAL, times: number): (Slot | null)[] {
  return Array.from({ length: times }, () => {
    const slot = choice.begin(SLOT);
    choice.end('retry', status);
    return slot;
  });
}

describe('ReplayChoice', () => {
  test('requests none before there is a slot to begin at', () => {
    expect(new ReplayChoice().begin(null)).toBeNull();
  });

  test('requests none after a refusal, until data arrives', () => {
    const choice = new ReplayChoice();
    expect(choice.begin(SLOT)).toBe(SLOT);
    choice.end('replay-refused', { code: 11, message: '' });
    expect(choice.begin(SLOT)).toBeNull();
    choice.noteData();
    expect(choice.begin(SLOT)).toBe(SLOT);
  });

  test('requests none after two answers without data', () => {
    expect(replayFrom(new ReplayChoice(), INTERNAL, 4)).toEqual([SLOT, SLOT, null, null]);
  });

  test('retries longer while the server is unreachable', () => {
    const slots = replayFrom(new ReplayChoice(), UNAVAILABLE, 12);
    expect(slots.map((slot) => slot !== null)).toEqual([...Array(10).fill(true), false, false]);
  });

  test('does not blame a replay for the end of a connection that delivered data', () => {
    const choice = new ReplayChoice();
    for (let times = 0; times < 20; times++) {
      expect(choice.begin(SLOT)).toBe(SLOT);
      choice.noteData();
      choice.end('retry', INTERNAL);
    }
  });
});
