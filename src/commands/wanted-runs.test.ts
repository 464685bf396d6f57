import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SlotState } from '../model/slot-range.ts';
import { asSlot } from '../model/units.ts';
import type { SlotRange } from '../store/control/slot-ranges.ts';
import { countRange, wantedRuns } from './wanted-runs.ts';

const SLOTS = 40;

/** Possible ledger states of the first slots, one each; null for none. */
const states = fc.array(fc.constantFrom<SlotState | null>('held', 'skipped', 'missing', null), {
  minLength: SLOTS,
  maxLength: SLOTS,
});

function ledgerOf(given: readonly (SlotState | null)[]): SlotRange[] {
  const ranges: SlotRange[] = [];
  const rest = { reason: null, sinceMs: null, tries: 0, afterMs: null, beforeMs: null };
  for (const [slot, state] of given.entries()) {
    const last = ranges.at(-1);
    if (state === null) continue;
    if (last?.state === state && last.to === slot - 1) {
      ranges[ranges.length - 1] = { ...last, to: asSlot(slot) };
    } else ranges.push({ ...rest, from: asSlot(slot), to: asSlot(slot), state });
  }
  return ranges;
}

const bounds = fc.tuple(fc.nat(SLOTS - 1), fc.nat(SLOTS - 1)).map(([one, other]) => ({
  from: asSlot(Math.min(one, other)),
  to: asSlot(Math.max(one, other)),
}));

describe('the wanted part of a range', () => {
  test('is every slot that is neither held nor skipped, and no other', () => {
    fc.assert(
      fc.property(states, bounds, (given, range) => {
        const runs = wantedRuns(range, ledgerOf(given));
        const slots = runs.flatMap(({ from, to }) =>
          Array.from({ length: to - from + 1 }, (_, index) => from + index),
        );
        const expected = given.flatMap((state, slot) =>
          slot >= range.from && slot <= range.to && state !== 'held' && state !== 'skipped'
            ? [slot]
            : [],
        );
        expect(slots).toEqual(expected);
      }),
    );
  });

  test('is counted slot by slot', () => {
    fc.assert(
      fc.property(states, bounds, (given, range) => {
        const inside = given.slice(range.from, range.to + 1);
        const count = (state: SlotState | null) => inside.filter((own) => own === state).length;
        expect(countRange(range, ledgerOf(given))).toEqual({
          held: count('held'),
          skipped: count('skipped'),
          missing: count('missing'),
          unknown: count(null),
        });
      }),
    );
  });
});
