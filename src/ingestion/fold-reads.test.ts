import { describe, expect, test } from 'vitest';
import { marketFacts } from '../../tests/support/followed-market.ts';
import { fallbackSolUsd } from '../../tests/support/master-fixture.ts';
import { Engine } from '../engine/engine.ts';
import { Fold } from './fold.ts';
import type { FoldListener } from './fold-listener.ts';
import type { ReadsDuringSlots } from './reads-during-slots.ts';

/** A fold whose engine is asked for its slot at each pause; `areLikely` may be changed. */
function stage() {
  const fold = new Fold(new Engine({ fallbackSolUsd }), 1, () => 0);
  const seen: (number | null)[] = [];
  const duringSlots = {
    areLikely: false,
    answer: (read) => seen.push(read(() => fold.engine.lastSlot)),
  } satisfies ReadsDuringSlots as ReadsDuringSlots & { areLikely: boolean };
  const listener: FoldListener = {
    duringSlots,
    onApplied: () => undefined,
    onReverted: () => undefined,
    onReplaced: () => undefined,
    onStep: () => undefined,
  };
  return { fold, seen, duringSlots, listener };
}

const slots = marketFacts(12);

describe('a fold that is read while it applies a slot', () => {
  test('shows its last slot throughout the next one', async () => {
    const { fold, seen, listener } = stage();
    fold.listener = listener;
    for (const facts of slots) {
      const before = fold.end?.slot ?? null;
      seen.length = 0;
      await fold.addTail(facts);
      expect(seen.length).toBeGreaterThan(facts.transactions.length);
      expect(new Set(seen)).toEqual(new Set([before]));
      expect(fold.engine.lastSlot).toBe(facts.slot);
    }
  });

  test('applies final slots in one piece until reads are likely', async () => {
    const { fold, seen, listener, duringSlots } = stage();
    fold.listener = listener;
    for (const facts of slots.slice(0, 6)) await fold.addFinal(facts, true);
    expect(seen).toEqual([]);
    duringSlots.areLikely = true;
    for (const facts of slots.slice(6)) await fold.addFinal(facts, true);
    expect(new Set(seen)).toEqual(new Set(slots.slice(5, -1).map(({ slot }) => slot)));
    expect(fold.engine.undoableSlots).toBe(0);
  });

  test('that nobody reads lets others be read at the same points', async () => {
    const { fold, seen } = stage();
    let pauses = 0;
    fold.onPause = () => pauses++;
    for (const facts of slots) await fold.addFinal(facts, true);
    expect(pauses).toBeGreaterThan(slots.length);
    expect(seen).toEqual([]);
  });
});
