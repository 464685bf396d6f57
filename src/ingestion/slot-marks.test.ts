import { describe, expect, test } from 'vitest';
import { buildFacts } from '../../tests/support/build-records.ts';
import type { SlotMark } from '../model/slot-range.ts';
import { asSlot } from '../model/units.ts';
import { marksOfLate, marksOfNewest } from './slot-marks.ts';

const previous = { slot: asSlot(10), blockhash: 'hash10', timeMs: 1_000 };
const place = { previous, timeMs: 3_000, nowMs: 77 };

/** A slot and its parent; the hash it names as its parent's. */
function block(slot: number, parentSlot: number | null, previousBlockhash: string | null = null) {
  return buildFacts(slot, {
    parentSlot: parentSlot === null ? null : asSlot(parentSlot),
    previousBlockhash,
  });
}

function short(marks: readonly SlotMark[]): string[] {
  return marks.map((mark) => {
    const doubt = mark.state === 'missing' && mark.isSuspected ? ' suspected' : '';
    return `${mark.state} ${mark.from}-${mark.to}${doubt}`;
  });
}

describe('the marks that follow from a slot', () => {
  test.each([
    ['the next slot', block(11, 10, 'hash10'), ['held 11-11']],
    ['its parent two slots before', block(13, 10), ['skipped 11-12', 'held 13-13']],
    ['a parent that is missing', block(13, 12), ['missing 11-12', 'held 13-13']],
    ['one missing parent', block(12, 11), ['missing 11-11', 'held 12-12']],
    ['a lost parent and skips', block(14, 12), ['skipped 13-13', 'missing 11-12', 'held 14-14']],
    ['no parent at all', block(13, null), ['missing 11-12', 'held 13-13']],
    ['another hash of its parent', block(11, 10, 'x'), ['missing 10-10 suspected', 'held 11-11']],
    [
      'a parent before the newest',
      block(13, 8),
      ['skipped 11-12', 'missing 9-10 suspected', 'held 13-13'],
    ],
  ])('%s', (_, facts, expected) => {
    expect(short(marksOfNewest(facts, place))).toEqual(expected);
  });

  test('with single transactions only is missing itself', () => {
    const loose = buildFacts(11, { isWhole: false, parentSlot: null });
    expect(short(marksOfNewest(loose, place))).toEqual(['missing 11-11']);
    expect(short(marksOfLate(loose, 77))).toEqual(['missing 11-11']);
  });

  test('are none for slots before the first', () => {
    const first = { ...place, previous: null };
    expect(short(marksOfNewest(block(13, 11), first))).toEqual(['held 13-13']);
  });

  test('contain the times of the slots around a gap', () => {
    const [gap] = marksOfNewest(block(13, 12), place);
    expect(gap).toMatchObject({ afterMs: 1_000, beforeMs: 3_000, sinceMs: 77, tries: 0 });
  });

  test('for a late slot are that it is held, and the skips after its parent', () => {
    expect(short(marksOfLate(block(9, 7), 77))).toEqual(['skipped 8-8', 'held 9-9']);
    expect(short(marksOfLate(block(9, 8), 77))).toEqual(['held 9-9']);
  });
});
