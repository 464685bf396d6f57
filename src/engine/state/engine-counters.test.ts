import { describe, expect, test } from 'vitest';
import { fold, second } from '../../../tests/support/master-fixture.ts';
import type { SlotFacts } from '../../model/slot-facts.ts';
import { asSlot } from '../../model/units.ts';

describe('the history', () => {
  const hash = (t: number, own: string | null, previous: string | null) => ({
    ...second(t),
    blockhash: own,
    previousBlockhash: previous,
  });

  test.each([
    ['has no gap when each slot names its predecessor', [second(0), second(1), second(2)], 0],
    ['has a gap if a slot has another parent', [second(0), second(2)], 1],
    ['has no gap over skipped slots', [second(0), { ...second(3), parentSlot: asSlot(1_000) }], 0],
    ['follows hashes', [hash(0, 'a', null), hash(4, 'b', 'a'), hash(5, 'c', 'b')], 0],
    ['has a gap if hashes do not match', [hash(0, 'a', null), hash(1, 'b', 'x')], 1],
    ['has a gap in each slot that is not whole', [{ ...second(0), isWhole: false }, second(1)], 1],
  ] as [string, SlotFacts[], number][])('%s', (_, slots, gaps) => {
    const { engine } = fold(slots);
    expect([engine.counters.unlinkedSlots, engine.isComplete]).toEqual([gaps, gaps === 0]);
  });

  test('sums the outcomes of instructions', () => {
    const pump = { event: 3, ignored: 2, unknown: 1, malformed: 0, quarantined: 1 };
    const system = { event: 0, ignored: 9, unknown: 0, malformed: 4, quarantined: 0 };
    const { engine } = fold([
      { ...second(0), outcomes: { pump, system } },
      { ...second(1), outcomes: { system, pump } },
    ]);
    expect(engine.counters.outcomes).toEqual({
      pump: { event: 6, ignored: 4, unknown: 2, malformed: 0, quarantined: 2 },
      system: { event: 0, ignored: 18, unknown: 0, malformed: 8, quarantined: 0 },
    });
  });
});
