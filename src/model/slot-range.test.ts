import { describe, expect, test } from 'vitest';
import { type AnswerRange, type SlotGap, touchesGap } from './slot-range.ts';
import { asSlot } from './units.ts';

function gap(from: number, to: number, afterMs: number | null, beforeMs: number | null): SlotGap {
  const range = { from: asSlot(from), to: asSlot(to) };
  return { ...range, reason: '', sinceMs: 0, tries: 0, afterMs, beforeMs };
}

/** Slots 10-14 between 1,000 ms and 2,000 ms; slot 30 after 5,000 ms, with an unknown end. */
const gaps = [gap(10, 14, 1_000, 2_000), gap(30, 30, 5_000, null)];
const slots = (fromSlot: number | null, toSlot: number | null): AnswerRange => ({
  fromSlot: fromSlot === null ? null : asSlot(fromSlot),
  toSlot: toSlot === null ? null : asSlot(toSlot),
});

describe('a gap', () => {
  test.each([
    ['all of history', {}, true],
    ['slots up to the one before it', slots(null, 9), false],
    ['slots up to its first', slots(null, 10), true],
    ['slots from its last on', slots(14, 20), true],
    ['slots between two gaps', slots(15, 29), false],
    ['slots after the last gap', slots(31, null), false],
    ['slots from between the gaps on', slots(15, null), true],
    ['times before it', { fromMs: 0, toMs: 1_000 }, false],
    ['times that overlap it', { fromMs: 0, toMs: 1_001 }, true],
    ['times from its end on', { fromMs: 2_000, toMs: 3_000 }, true],
    ['times after it', { fromMs: 2_001, toMs: 5_000 }, false],
    ['times after a gap with an unknown end', { fromMs: 9_000, toMs: 9_001 }, true],
    ['its slots at another time', { ...slots(10, 14), fromMs: 3_000, toMs: 4_000 }, false],
  ])('may overlap a range or not: %s', (_, range, expected) => {
    expect(touchesGap(gaps, range)).toBe(expected);
  });

  test('overlaps nothing when there is none', () => {
    expect(touchesGap([], {})).toBe(false);
  });
});
