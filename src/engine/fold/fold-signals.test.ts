import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { slotFacts } from '../../../tests/support/build-facts.ts';
import { fallbackSolUsd } from '../../../tests/support/master-fixture.ts';
import { expectOutcomeAsPrices, lastPublished } from '../../../tests/support/naive-outcomes.ts';
import { signalSlots, TALKATIVE_MODELS } from '../../../tests/support/signal-stage.ts';
import { firstDifference, stateImage } from '../../../tests/support/state-image.ts';
import { storedEngine } from '../../../tests/support/stored-engine.ts';
import type { SlotChanges } from '../../model/derived.ts';
import type { Outcome } from '../../model/signal.ts';
import type { SlotFacts } from '../../model/slot-facts.ts';
import { Engine } from '../engine.ts';

const options = { fallbackSolUsd, models: TALKATIVE_MODELS };
const NOT_FINAL = { isFinal: false };
const newEngine = () => new Engine(options);
const differenceOf = (one: Engine, other: Engine) =>
  firstDifference(stateImage(one), stateImage(other));

function foldAll(slots: readonly SlotFacts[], engine = newEngine()): SlotChanges[] {
  return slots.map((facts) => engine.apply(facts));
}

describe('signals of the fold', () => {
  test('are undone with their slots while open, and are the same when applied again', () => {
    let openSlots = 0;
    fc.assert(
      fc.property(
        signalSlots({ minLength: 8, maxLength: 30 }),
        fc.integer({ min: 1, max: 12 }),
        (slots, taken) => {
          const [forking, straight] = [newEngine(), newEngine()];
          const applied = slots.map((facts) => straight.apply(facts));
          const from = Math.max(0, slots.length - taken);
          for (const facts of slots.slice(0, from)) forking.apply(facts);
          const before = stateImage(forking);
          const fork = slots.slice(from);
          for (const facts of fork) forking.apply(facts, NOT_FINAL);
          for (const _ of fork) forking.undo();
          expect(firstDifference(before, stateImage(forking))).toBeNull();
          if (forking.stateSize.openSignals > 0) openSlots++;
          expect(fork.map((facts) => forking.apply(facts))).toEqual(applied.slice(from));
          expect(differenceOf(forking, straight)).toBeNull();
          expect(forking.digest()).toBe(straight.digest());
        },
      ),
      { numRuns: 12 },
    );
    expect(openSlots).toBeGreaterThan(6);
  });

  test('continue unchanged after a restart', () => {
    let openSlots = 0;
    fc.assert(
      fc.property(
        signalSlots({ minLength: 8, maxLength: 30 }),
        fc.integer({ min: 4, max: 20 }),
        (slots, until) => {
          const { engine: calm, restored: restore } = storedEngine(options);
          foldAll(slots.slice(0, until), calm);
          const restored = restore();
          if (calm.stateSize.openSignals > 0) openSlots++;
          expect(differenceOf(restored, calm)).toBeNull();
          expect(restored.digest()).toBe(calm.digest());
          const rest = slots.slice(until);
          expect(foldAll(rest, restored)).toEqual(foldAll(rest, calm));
          expect(differenceOf(restored, calm)).toBeNull();
        },
      ),
      { numRuns: 12 },
    );
    expect(openSlots).toBeGreaterThan(6);
  });

  test('have the outcomes of METHODS §6.2 from the prices of slots', () => {
    const outcomes: Outcome[] = [];
    fc.assert(
      fc.property(signalSlots({ minLength: 10, maxLength: 60 }), (slots) => {
        const changes = foldAll(slots);
        const last = lastPublished(changes);
        const signals = changes.flatMap((change) => change.signals);
        for (const signal of signals) {
          expectOutcomeAsPrices(signal, last.get(signal.rowId), changes);
        }
        outcomes.push(...last.values());
      }),
      { numRuns: 60 },
    );
    const kinds = [
      outcomes.filter(({ roiE9 }) => roiE9 > 0n),
      outcomes.filter(({ maxDrawdownE9 }) => maxDrawdownE9 > 0n),
      outcomes.filter(({ isFinal }) => isFinal),
      outcomes.filter(({ isFinal }) => !isFinal),
    ];
    expect(Math.min(...kinds.map(({ length }) => length))).toBeGreaterThan(20);
  });

  test('do not depend on the slot they are given in or on later ones', () => {
    let given = 0;
    fc.assert(
      fc.property(signalSlots({ minLength: 8, maxLength: 24 }), (slots) => {
        const engine = newEngine();
        for (const facts of slots) {
          const { slot, blockTimeMs } = facts;
          const blind = engine.apply(slotFacts(slot, blockTimeMs, []), NOT_FINAL);
          engine.undo();
          const { signals } = engine.apply(facts);
          expect(blind.signals).toEqual(signals);
          given += signals.length;
          for (const { asOfSlot } of signals) expect(asOfSlot).toBeLessThan(slot);
        }
      }),
      { numRuns: 60 },
    );
    expect(given).toBeGreaterThan(100);
  });

  test('are numbered in order, and returned with an outcome in the same slot', () => {
    const [slots = []] = fc.sample(signalSlots({ minLength: 60, maxLength: 60 }), 1);
    const changes = foldAll(slots);
    const signals = changes.flatMap((change) => change.signals);
    expect(signals.map(({ rowId }) => rowId)).toEqual(signals.map((_, at) => at + 1));
    expect(new Set(signals.map(({ model }) => model)).size).toBe(2);
    for (const { slot, signals: given, outcomes } of changes) {
      const numbers = outcomes.map(({ rowId }) => rowId);
      expect(numbers).toEqual([...new Set(numbers)].sort((one, other) => one - other));
      for (const signal of given) {
        expect(signal.slot).toBe(slot);
        expect(outcomes.find(({ rowId }) => rowId === signal.rowId)).toMatchObject({
          highPriceUsd: signal.priceUsd,
          roiE9: 0n,
          slot,
        });
      }
    }
  });
});
