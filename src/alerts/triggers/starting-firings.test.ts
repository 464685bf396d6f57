import { describe, expect, test } from 'vitest';
import { buildFiring, buildTrigger } from '../../../tests/support/build-trigger.ts';
import type { KnownTruth } from '../../model/trigger-turn.ts';
import type { Slot } from '../../model/units.ts';
import type { OpenFiring } from './open-firings.ts';
import { sortStartingFirings } from './starting-firings.ts';

const firing = (number: number, at: number, revision = 1): OpenFiring =>
  buildFiring({ number, slot: at as Slot, revision });

interface Found {
  readonly known?: KnownTruth;
  readonly isTrue: boolean;
  readonly poolSlot: number;
}

/** A start at slot 10 of one trigger, by the numbers of its firings. */
function sorted(firings: readonly OpenFiring[], { known, isTrue, poolSlot }: Found) {
  const { standing, doubted, lost, told } = sortStartingFirings(firings, {
    slot: 10,
    known: new Map(known === undefined ? [] : [[1, known]]),
    triggerOf: (key) => (key === 1 ? buildTrigger() : null),
    isTrue: () => isTrue,
    poolSlot: () => poolSlot,
  });
  const numbers = (some: readonly OpenFiring[]) => some.map(({ number }) => number);
  const parts = { standing: numbers(standing), doubted: numbers(doubted), lost: numbers(lost) };
  return { ...parts, isTold: told.has(1) };
}

const NOTHING = { standing: [], doubted: [], lost: [], isTold: false };

describe('a firing that a start finds', () => {
  test('from before the last turn that was kept is settled', () => {
    const known = { slot: 8, isTrue: false };
    expect(sorted([firing(1, 5)], { known, isTrue: true, poolSlot: 9 })).toEqual(NOTHING);
  });

  test('tells of what is true, where its slot was stored by somebody else', () => {
    const known = { slot: 5, isTrue: false };
    for (const poolSlot of [7, 9]) {
      const found = sorted([firing(1, 7)], { known, isTrue: true, poolSlot });
      expect(found).toEqual({ ...NOTHING, isTold: true });
    }
  });

  test('is lost where its slot, as it was stored, did not change the pool or left it untrue', () => {
    const known = { slot: 5, isTrue: false };
    const lost = { ...NOTHING, lost: [1] };
    expect(sorted([firing(1, 7)], { known, isTrue: true, poolSlot: 6 })).toEqual(lost);
    expect(sorted([firing(1, 7)], { known, isTrue: false, poolSlot: 6 })).toEqual(lost);
    expect(sorted([firing(1, 7)], { known, isTrue: false, poolSlot: 7 })).toEqual(lost);
  });

  test('is lost too where the trigger was true before and fell in between on the lost branch', () => {
    const found = sorted([firing(1, 4), firing(2, 7)], {
      known: { slot: 4, isTrue: true },
      isTrue: true,
      poolSlot: 4,
    });
    expect(found).toEqual({ ...NOTHING, lost: [2] });
  });

  test('of an addition stays, though the slot that made its pool so then is of a lost branch', () => {
    const known = { slot: -1, isTrue: true };
    expect(sorted([firing(1, 7)], { known, isTrue: true, poolSlot: 6 })).toEqual(NOTHING);
  });

  test('of a slot that is not stored is in doubt, and stands where it is true without the slot', () => {
    const known = { slot: -1, isTrue: true };
    const doubted = sorted([firing(1, 12)], { known, isTrue: false, poolSlot: 9 });
    expect(doubted).toEqual({ ...NOTHING, doubted: [1] });
    const standing = sorted([firing(1, 12)], { known, isTrue: true, poolSlot: 9 });
    expect(standing).toEqual({ ...NOTHING, standing: [1], isTold: true });
    const second = sorted([firing(1, 4), firing(2, 12)], {
      known: { slot: 4, isTrue: true },
      isTrue: true,
      poolSlot: 4,
    });
    expect(second).toEqual({ ...NOTHING, doubted: [2] });
  });

  test('of other conditions, or of a trigger of which nothing is known, says nothing of now', () => {
    const known = { slot: -1, isTrue: false };
    const found = { isTrue: true, poolSlot: 9 };
    expect(sorted([firing(1, 7, 2)], { known, ...found })).toEqual(NOTHING);
    expect(sorted([firing(1, 12, 2)], { known, ...found })).toEqual({ ...NOTHING, doubted: [1] });
    expect(sorted([firing(1, 7)], found)).toEqual(NOTHING);
  });
});
