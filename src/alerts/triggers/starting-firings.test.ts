import { describe, expect, test } from 'vitest';
import { BUSY, buildFiring, buildTrigger } from '../../../tests/support/build-trigger.ts';
import type { Condition } from '../../model/trigger.ts';
import type { KnownTruth } from '../../model/trigger-turn.ts';
import { asSlot } from '../../model/units.ts';
import type { OpenFiring } from './open-firings.ts';
import { sortStartingFirings } from './starting-firings.ts';

const firing = (number: number, at: number, revision = 1): OpenFiring =>
  buildFiring({ number, slot: asSlot(at), revision });

interface Found {
  readonly known?: KnownTruth;
  readonly isTrue: boolean;
  readonly changedSlot: number;
  readonly conditions?: readonly Condition[];
}

/** A start at slot 10 with one trigger; returns the numbers of its firings by class. */
function sorted(
  firings: readonly OpenFiring[],
  { known, isTrue, changedSlot, conditions = [BUSY] }: Found,
) {
  const { standing, unconfirmed, lost, covered } = sortStartingFirings(firings, {
    slot: 10,
    known: new Map(known === undefined ? [] : [[1, known]]),
    triggerOf: (key) => (key === 1 ? buildTrigger({ conditions }) : null),
    isTrue: () => isTrue,
    changedSlot: () => changedSlot,
  });
  const numbers = (some: readonly OpenFiring[]) => some.map(({ number }) => number);
  const parts = {
    standing: numbers(standing),
    unconfirmed: numbers(unconfirmed),
    lost: numbers(lost),
  };
  return { ...parts, isCovered: covered.has(1) };
}

const NOTHING = { standing: [], unconfirmed: [], lost: [], isCovered: false };

describe('a firing found at process start', () => {
  test('from before the last stored turn is settled', () => {
    const known = { slot: 8, isTrue: false };
    expect(sorted([firing(1, 5)], { known, isTrue: true, changedSlot: 9 })).toEqual(NOTHING);
  });

  test('covers the current truth if its slot was stored by another process', () => {
    const known = { slot: 5, isTrue: false };
    for (const changedSlot of [7, 9]) {
      const found = sorted([firing(1, 7)], { known, isTrue: true, changedSlot });
      expect(found).toEqual({ ...NOTHING, isCovered: true });
    }
  });

  test('is lost if its slot, as stored, did not change the pool or left the trigger false', () => {
    const known = { slot: 5, isTrue: false };
    const lost = { ...NOTHING, lost: [1] };
    expect(sorted([firing(1, 7)], { known, isTrue: true, changedSlot: 6 })).toEqual(lost);
    expect(sorted([firing(1, 7)], { known, isTrue: false, changedSlot: 6 })).toEqual(lost);
    expect(sorted([firing(1, 7)], { known, isTrue: false, changedSlot: 7 })).toEqual(lost);
  });

  test('is lost if the trigger was true before and became false only on the abandoned fork', () => {
    const found = sorted([firing(1, 4), firing(2, 7)], {
      known: { slot: 4, isTrue: true },
      isTrue: true,
      changedSlot: 4,
    });
    expect(found).toEqual({ ...NOTHING, lost: [2] });
  });

  test('from adding a trigger stays, even if the slot of its pool is on an abandoned fork', () => {
    const known = { slot: -1, isTrue: true };
    expect(sorted([firing(1, 7)], { known, isTrue: true, changedSlot: 6 })).toEqual(NOTHING);
  });

  test('of a slot that is not stored is unconfirmed, unless it is true without the slot', () => {
    const known = { slot: -1, isTrue: true };
    const unconfirmed = sorted([firing(1, 12)], { known, isTrue: false, changedSlot: 9 });
    expect(unconfirmed).toEqual({ ...NOTHING, unconfirmed: [1] });
    const standing = sorted([firing(1, 12)], { known, isTrue: true, changedSlot: 9 });
    expect(standing).toEqual({ ...NOTHING, standing: [1], isCovered: true });
    const second = sorted([firing(1, 4), firing(2, 12)], {
      known: { slot: 4, isTrue: true },
      isTrue: true,
      changedSlot: 4,
    });
    expect(second).toEqual({ ...NOTHING, unconfirmed: [2] });
  });

  test('of a crossing does not come from adding the trigger', () => {
    const conditions = [{ ...BUSY, operator: 'crosses_above' as const }];
    const known = { slot: -1, isTrue: true };
    const found = { known, isTrue: true, conditions };
    expect(sorted([firing(1, 12)], { ...found, changedSlot: 9 })).toEqual({
      ...NOTHING,
      unconfirmed: [1],
    });
    expect(sorted([firing(1, 7)], { ...found, changedSlot: 6 })).toEqual({ ...NOTHING, lost: [1] });
  });

  test('of other conditions, or of an unknown trigger, does not cover the current truth', () => {
    const known = { slot: -1, isTrue: false };
    const found = { isTrue: true, changedSlot: 9 };
    expect(sorted([firing(1, 7, 2)], { known, ...found })).toEqual(NOTHING);
    expect(sorted([firing(1, 12, 2)], { known, ...found })).toEqual({
      ...NOTHING,
      unconfirmed: [1],
    });
    expect(sorted([firing(1, 7)], found)).toEqual(NOTHING);
  });
});
