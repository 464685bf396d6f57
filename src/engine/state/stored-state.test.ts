import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { slotFacts as hostileSlot } from '../../../tests/support/arbitrary-facts.ts';
import { arbitrarySlots } from '../../../tests/support/arbitrary-slots.ts';
import { fallbackSolUsd } from '../../../tests/support/master-fixture.ts';
import { firstDifference, stateImage } from '../../../tests/support/state-image.ts';
import { storedEngine } from '../../../tests/support/stored-engine.ts';
import type { SlotFacts } from '../../model/slot-facts.ts';
import { asSlot } from '../../model/units.ts';
import { Engine } from '../engine.ts';

const NOT_FINAL = { isFinal: false };
const OPTIONS = { fallbackSolUsd };
const PAGES = [1, 40, undefined];

/** Copies objects to plain ones, as decoders create them: those of fast-check have no prototype. */
function plain(slots: readonly SlotFacts[]): SlotFacts[] {
  return structuredClone([...slots]);
}

/** Slots in an order that the engine accepts. */
function inOrder(slots: readonly SlotFacts[]): SlotFacts[] {
  return slots.map((facts, index) => ({
    ...facts,
    slot: asSlot(1_000 + index),
    transactions: facts.transactions.map((transaction, txIndex) => ({
      ...transaction,
      txIndex,
      events: transaction.events.map((event, outerIx) => ({ ...event, outerIx, innerIx: -1 })),
    })),
  }));
}

function expectEqual(one: Engine, other: Engine): void {
  expect(firstDifference(stateImage(one), stateImage(other))).toBeNull();
  expect(one.parts()).toEqual(other.parts());
}

/** Restores in the middle, then applies the rest: all engines must be equal. */
function expectGoesOn(drawn: readonly SlotFacts[], until: number, pagesMax?: number): void {
  const slots = plain(drawn);
  const calm = new Engine(OPTIONS);
  const { engine, restored } = storedEngine(OPTIONS, pagesMax);
  for (const facts of slots.slice(0, until)) expect(engine.apply(facts)).toEqual(calm.apply(facts));
  const other = restored();
  expectEqual(other, calm);
  for (const facts of slots.slice(until)) {
    const changes = calm.apply(facts);
    expect(engine.apply(facts)).toEqual(changes);
    expect(other.apply(facts)).toEqual(changes);
  }
  expectEqual(engine, calm);
  expectEqual(other, calm);
}

describe.each(PAGES)('a state of which %s pages stay in memory', (pagesMax) => {
  test('is restored in every part, and continues like one that was never stored', () => {
    fc.assert(
      fc.property(
        arbitrarySlots({ minLength: 0, maxLength: 24 }),
        fc.integer({ min: 0, max: 24 }),
        (slots, until) => expectGoesOn(slots, until, pagesMax),
      ),
      { numRuns: 20 },
    );
  });

  test('is the same for random decoded slots', () => {
    fc.assert(
      fc.property(
        fc.array(hostileSlot, { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 0, max: 6 }),
        (slots, until) => expectGoesOn(inOrder(slots), until, pagesMax),
      ),
      { numRuns: 20 },
    );
  });

  test('continues for a hundred slots', () => {
    const [slots = []] = fc.sample(arbitrarySlots({ minLength: 160, maxLength: 160 }), {
      numRuns: 1,
      seed: 5,
    });
    expectGoesOn(slots, 60, pagesMax);
  });

  test('can be undone, also back to where it was restored', () => {
    fc.assert(
      fc.property(
        arbitrarySlots({ minLength: 2, maxLength: 16 }),
        fc.integer({ min: 1, max: 16 }),
        (drawn, until) => {
          const slots = plain(drawn);
          const calm = new Engine(OPTIONS);
          const { engine, restored } = storedEngine(OPTIONS, pagesMax);
          for (const facts of slots.slice(0, until)) {
            calm.apply(facts);
            engine.apply(facts);
          }
          for (const each of [engine, restored()]) {
            for (const facts of slots.slice(until)) each.apply(facts, NOT_FINAL);
            for (const _ of slots.slice(until)) each.undo();
            expectEqual(each, calm);
          }
        },
      ),
      { numRuns: 20 },
    );
  });

  test('is stored as of its slot while later ones are applied and undone', () => {
    fc.assert(
      fc.property(
        arbitrarySlots({ minLength: 4, maxLength: 16 }),
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 0, max: 3 }),
        (drawn, until, undone) => {
          const slots = plain(drawn);
          const calm = new Engine(OPTIONS);
          const { engine, restoredWhile } = storedEngine(OPTIONS, pagesMax);
          for (const facts of slots.slice(0, until)) {
            calm.apply(facts);
            engine.apply(facts);
          }
          const rest = slots.slice(until);
          const restored = restoredWhile((writeSome) => {
            for (const facts of rest) {
              engine.apply(facts, NOT_FINAL);
              writeSome(3);
            }
            for (const _ of rest.slice(0, undone)) engine.undo();
          });
          expectEqual(restored, calm);
        },
      ),
      { numRuns: 20 },
    );
  });
});
