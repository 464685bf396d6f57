import { describe, expect, it } from 'vitest';
import { asSlot } from '../model/units.ts';
import {
  type Contradiction,
  planRebuild,
  REBUILD_WINDOW_SLOTS,
  type Rebuild,
  recentRebuilds,
} from './rebuild-plan.ts';

const rebuild = (contradicted: number, from: number | null): Rebuild => ({
  contradictedSlot: asSlot(contradicted),
  fromSlot: from === null ? null : asSlot(from),
});

function plan(
  slot: number,
  agreed: number | null,
  checkpoints: readonly number[],
  rest: Partial<Contradiction> = {},
) {
  return planRebuild({
    slot: asSlot(slot),
    agreedSlot: agreed === null ? null : asSlot(agreed),
    checkpoints: checkpoints.map(asSlot),
    isLogWhole: true,
    rebuilds: [],
    ...rest,
  });
}

const from = (slot: number | null) => ({ kind: 'rebuild', fromSlot: slot });

describe('the rebuild of a contradicted replica', () => {
  it('begins with the newest checkpoint up to the last slot that a majority agreed on', () => {
    expect(plan(1_000, 899, [990, 900, 600, 300])).toEqual(from(600));
    expect(plan(1_000, 900, [990, 900, 600, 300])).toEqual(from(900));
  });

  it('does not trust the contradicted slot itself, although few agreed on it first', () => {
    expect(plan(900, 900, [900, 600])).toEqual(from(600));
  });

  it('begins with the log where no checkpoint can be trusted', () => {
    expect(plan(1_000, null, [900, 600])).toEqual(from(null));
    expect(plan(1_000, 500, [900, 600])).toEqual(from(null));
  });

  it('is not possible without a checkpoint and with a log whose beginning was dropped', () => {
    expect(plan(1_000, 500, [900, 600], { isLogWhole: false })).toEqual({ kind: 'nothing-left' });
    expect(plan(1_000, 700, [900, 600], { isLogWhole: false })).toEqual(from(600));
  });

  it('goes back further when it is contradicted before it has agreed on a later slot', () => {
    const rebuilds = [rebuild(1_000, 600)];
    // It may even have agreed for a while, on slots before.
    expect(plan(1_001, 600, [600, 300, 100], { rebuilds })).toEqual(from(300));
    expect(plan(1_001, 1_000, [600, 300, 100], { rebuilds })).toEqual(from(300));
    expect(plan(1_001, 600, [600], { rebuilds })).toEqual(from(null));
  });

  it('trusts what it agreed on after an earlier rebuild', () => {
    const rebuilds = [rebuild(1_000, 600)];
    expect(plan(1_500, 1_400, [1_450, 1_200, 600], { rebuilds })).toEqual(from(1_200));
  });

  it('ends after three within a day of slots, whether it agreed between them or not', () => {
    const rebuilds = [rebuild(1_000, 600), rebuild(1_001, 300), rebuild(1_500, 1_200)];
    expect(plan(2_000, 1_900, [1_800], { rebuilds })).toEqual({ kind: 'exhausted' });
    const later = 1_000 + REBUILD_WINDOW_SLOTS;
    expect(plan(later - 1, later - 100, [later - 200], { rebuilds })).toEqual({
      kind: 'exhausted',
    });
    expect(plan(later, later - 100, [later - 200], { rebuilds })).toEqual(from(later - 200));
    expect(recentRebuilds(rebuilds, asSlot(later))).toEqual(rebuilds.slice(1));
  });

  it('ends where the whole log was applied and the result was contradicted', () => {
    const rebuilds = [rebuild(1_000, null)];
    expect(plan(1_001, null, [900], { rebuilds })).toEqual({ kind: 'wrong-log' });
    expect(plan(1_400, 1_300, [1_200], { rebuilds })).toEqual(from(1_200));
  });
});
