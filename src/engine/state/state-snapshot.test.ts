import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { slotFacts as hostileSlot } from '../../../tests/support/arbitrary-facts.ts';
import { arbitrarySlots } from '../../../tests/support/arbitrary-slots.ts';
import { copiedChunks } from '../../../tests/support/copied-chunks.ts';
import { fallbackSolUsd, fold, second } from '../../../tests/support/master-fixture.ts';
import { firstDifference, stateImage } from '../../../tests/support/state-image.ts';
import { GraphError } from '../../lib/graph-types.ts';
import type { SlotFacts } from '../../model/slot-facts.ts';
import { asSlot } from '../../model/units.ts';
import { Engine } from '../engine.ts';

const NOT_FINAL = { isFinal: false };
const newEngine = () => new Engine({ fallbackSolUsd });
const restored = (engine: Engine) =>
  new Engine({ fallbackSolUsd }, copiedChunks(engine.writeState()));
const differenceOf = (one: Engine, other: Engine) =>
  firstDifference(stateImage(one), stateImage(other));

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

/** Restores in the middle, then applies the rest: both engines must be equal. */
function expectGoesOn(drawn: readonly SlotFacts[], until: number): void {
  const slots = plain(drawn);
  const { engine } = fold(slots.slice(0, until), newEngine());
  const other = restored(engine);
  expect(differenceOf(other, engine)).toBeNull();
  expect(other.digest()).toBe(engine.digest());
  for (const facts of slots.slice(until)) expect(other.apply(facts)).toEqual(engine.apply(facts));
  expect(differenceOf(other, engine)).toBeNull();
  expect(other.digest()).toBe(engine.digest());
}

describe('a restored engine', () => {
  test('equals the written one in every field and reference, and continues like it', () => {
    fc.assert(
      fc.property(
        arbitrarySlots({ minLength: 0, maxLength: 24 }),
        fc.integer({ min: 0, max: 24 }),
        expectGoesOn,
      ),
      { numRuns: 200 },
    );
  });

  test('applies a hundred further slots like the other', () => {
    const slots = fc.sample(arbitrarySlots({ minLength: 160, maxLength: 160 }), {
      numRuns: 3,
      seed: 5,
    });
    for (const each of slots) expectGoesOn(each, 60);
  });

  test('equals the written one for random decoded slots', () => {
    fc.assert(
      fc.property(
        fc.array(hostileSlot, { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 0, max: 6 }),
        (slots, until) => expectGoesOn(inOrder(slots), until),
      ),
      { numRuns: 200 },
    );
  });

  test('can undo slots applied since', () => {
    fc.assert(
      fc.property(
        arbitrarySlots({ minLength: 2, maxLength: 16 }),
        fc.integer({ min: 1, max: 16 }),
        (drawn, until) => {
          const slots = plain(drawn);
          const { engine } = fold(slots.slice(0, until), newEngine());
          const other = restored(engine);
          for (const facts of slots.slice(until)) other.apply(facts, NOT_FINAL);
          for (const _ of slots.slice(until)) other.undo();
          expect(differenceOf(other, engine)).toBeNull();
        },
      ),
      { numRuns: 100 },
    );
  });

  test('writes the same bytes again', () => {
    const [slots = []] = fc.sample(arbitrarySlots({ minLength: 60, maxLength: 60 }), {
      numRuns: 1,
      seed: 7,
    });
    const { engine } = fold(plain(slots), newEngine());
    const bytes = Buffer.concat(copiedChunks(engine.writeState()));
    expect(Buffer.concat(copiedChunks(restored(engine).writeState())).equals(bytes)).toBe(true);
  });

  test('uses its own options', () => {
    const engine = newEngine();
    engine.apply(second(0));
    const bare = new Engine({ fallbackSolUsd: null, undoSlotsMax: 1 }, engine.writeState());
    bare.apply(second(1), NOT_FINAL);
    expect(() => bare.apply(second(2), NOT_FINAL)).toThrow('the limit of 1 slots');
  });
});

describe('a state', () => {
  test('is not written while slots can be undone', () => {
    const engine = newEngine();
    engine.apply(second(0));
    engine.apply(second(1), NOT_FINAL);
    expect(() => engine.writeState()).toThrow('1 slots are not final');
    engine.forget(asSlot(1_001));
    expect(restored(engine).lastSlot).toBe(1_001);
  });

  test('is not read from truncated bytes', () => {
    const { engine } = fold([second(0), second(1)], newEngine());
    const bytes = Buffer.concat(copiedChunks(engine.writeState()));
    for (let length = 0; length < bytes.length; length += 7) {
      const part = [bytes.subarray(0, length)];
      expect(() => new Engine({ fallbackSolUsd }, part)).toThrow(GraphError);
    }
  });
});
