import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { MissingMark, SlotMark, SlotState } from '../../model/slot-range.ts';
import { asSlot } from '../../model/units.ts';
import { joinMarks, type SlotRange, withMark } from './slot-ranges.ts';

const SLOTS = 30;

function missing(from: number, to: number, rest: Partial<MissingMark> = {}): MissingMark {
  return {
    state: 'missing',
    from: asSlot(from),
    to: asSlot(to),
    reason: 'nobody has them',
    sinceMs: 5,
    tries: 0,
    afterMs: null,
    beforeMs: null,
    isSuspected: false,
    ...rest,
  };
}

const mark: fc.Arbitrary<SlotMark> = fc
  .record({
    from: fc.nat(SLOTS - 1),
    length: fc.nat(8),
    state: fc.constantFrom<SlotState>('held', 'skipped', 'missing'),
    tries: fc.nat(2),
    isSuspected: fc.boolean(),
  })
  .map(({ from, length, state, tries, isSuspected }) => {
    const to = Math.min(from + length, SLOTS - 1);
    if (state === 'missing') return missing(from, to, { tries, isSuspected });
    return { state, from: asSlot(from), to: asSlot(to) };
  });

/** The oracle: one slot at a time, by the rule documented in the model. */
function markSlots(states: (string | null)[], given: SlotMark): void {
  for (let slot: number = given.from; slot <= given.to; slot++) {
    const known = states[slot] ?? null;
    if (given.state !== 'missing') {
      states[slot] = given.state === 'skipped' && known === 'held' ? 'held' : given.state;
    } else if (known?.startsWith('missing') === true) {
      states[slot] = `missing ${Number(known.split(' ')[1]) + given.tries}`;
    } else if (known === null || (known === 'held' && given.isSuspected)) {
      states[slot] = `missing ${given.tries}`;
    }
  }
}

function slotsOf(ranges: readonly SlotRange[]): (string | null)[] {
  const states: (string | null)[] = Array(SLOTS).fill(null);
  for (const { from, to, state, tries } of ranges) {
    for (let slot: number = from; slot <= to; slot++) {
      if (states[slot] !== null) throw new Error(`slot ${slot} is in two ranges`);
      states[slot] = state === 'missing' ? `missing ${tries}` : state;
    }
  }
  return states;
}

describe('ranges of slots', () => {
  test('give each slot the state that marking it alone gives, for any marks', () => {
    fc.assert(
      fc.property(fc.array(mark, { maxLength: 25, size: 'max' }), (marks) => {
        const oracle: (string | null)[] = Array(SLOTS).fill(null);
        let ranges: SlotRange[] = [];
        for (const given of marks) {
          markSlots(oracle, given);
          ranges = withMark(ranges, given);
        }
        expect(slotsOf(ranges)).toEqual(oracle);
        const starts = ranges.map(({ from }) => from);
        expect(starts).toEqual([...starts].sort((one, other) => one - other));
        for (const [index, range] of ranges.entries()) {
          const next = ranges[index + 1];
          const isSame = next?.state === range.state && next.tries === range.tries;
          expect(isSame && next?.from === range.to + 1).toBe(false);
        }
      }),
    );
  });

  test('are the same after joined marks', () => {
    fc.assert(
      fc.property(fc.array(mark, { maxLength: 25 }), (marks) => {
        const fold = (given: readonly SlotMark[]) => given.reduce(withMark, [] as SlotRange[]);
        expect(fold(joinMarks(marks))).toEqual(fold(marks));
      }),
    );
  });

  test('keep the first time of a gap, and use the later reason of a source', () => {
    const found = withMark([], missing(5, 9, { reason: 'a hole', sinceMs: 5 }));
    const tried = withMark(found, missing(5, 9, { reason: 'pruned', sinceMs: 99, tries: 1 }));
    const again = withMark(tried, missing(5, 9, { reason: 'a hole', sinceMs: 100, beforeMs: 7 }));
    expect(again).toEqual([
      {
        from: 5,
        to: 9,
        state: 'missing',
        reason: 'pruned',
        sinceMs: 5,
        tries: 1,
        afterMs: null,
        beforeMs: 7,
      },
    ]);
  });
});
