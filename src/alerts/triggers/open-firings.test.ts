import { describe, expect, test } from 'vitest';
import { buildFiring, buildTrigger } from '../../../tests/support/build-trigger.ts';
import { fakePool } from '../../../tests/support/fake-api-deps.ts';
import { poolFiguresOf } from '../../model/pool-figures.ts';
import { asSlot } from '../../model/units.ts';
import { OpenFirings } from './open-firings.ts';

const firing = (number: number, at: number, revision = 1) =>
  buildFiring({ number, slot: asSlot(at), revision });
const fired = { trigger: buildTrigger(), figures: poolFiguresOf(fakePool()) };
const never = () => false;
const numbers = (firings: readonly { readonly number: number }[]) =>
  firings.map(({ number }) => number);

describe('a firing of a slot that is not final', () => {
  test('is lost once the chain has passed its slot without it', () => {
    const open = new OpenFirings();
    open.add(firing(1, 7));
    open.wentBack(asSlot(7), never);
    expect(open.takeLost(asSlot(6))).toEqual([]);
    expect(numbers(open.takeLost(asSlot(8)))).toEqual([1]);
    expect(open.size).toBe(0);
  });

  test('is confirmed as the same firing when its slot returns and fires it', () => {
    const open = new OpenFirings();
    open.add(firing(1, 7));
    open.wentBack(asSlot(7), never);
    expect(open.confirm(fired, asSlot(6))).toBe(false);
    expect(open.confirm(fired, asSlot(7))).toBe(true);
    expect(open.takeLost(asSlot(7))).toEqual([]);
    open.wentBack(asSlot(7), never);
    expect(numbers(open.takeLost(asSlot(7)))).toEqual([1]);
  });

  test('is emitted only once, also if it is confirmed already when its slot fires', () => {
    const open = new OpenFirings();
    open.add(firing(1, 7));
    expect(open.confirm(fired, asSlot(7))).toBe(true);
    expect(open.confirm(fired, asSlot(8))).toBe(false);
  });

  test('is a different firing if the conditions have changed', () => {
    const open = new OpenFirings();
    open.markUnconfirmed(firing(1, 7, 2));
    expect(open.confirm(fired, asSlot(7))).toBe(false);
    expect(numbers(open.takeLost(asSlot(7)))).toEqual([1]);
  });

  test('stays if its trigger is also true without the slot', () => {
    const open = new OpenFirings();
    open.add(firing(1, 7));
    open.wentBack(asSlot(7), () => true);
    expect(open.takeLost(asSlot(9))).toEqual([]);
  });

  test('of an earlier slot is not affected', () => {
    const open = new OpenFirings();
    open.add(firing(1, 6));
    open.wentBack(asSlot(7), never);
    expect(open.takeLost(asSlot(9))).toEqual([]);
  });

  test('is removed when its slot is final, and lost firings are returned by number', () => {
    const open = new OpenFirings();
    for (const [number, at] of [
      [3, 8],
      [2, 7],
      [1, 6],
    ] as const) {
      open.add(firing(number, at));
    }
    open.finalise(6);
    expect(open.size).toBe(2);
    open.wentBack(asSlot(6), never);
    expect(numbers(open.takeLost(asSlot(9)))).toEqual([2, 3]);
  });
});
