import { describe, expect, test } from 'vitest';
import { asSlot } from '../model/units.ts';
import { RecentDigests } from './recent-digests.ts';

function digestAt(slot: number) {
  return { slot: asSlot(slot), blockhash: null, digest: `digest ${slot}`, parts: [] };
}

function digestsOf(...slots: number[]): RecentDigests {
  const digests = new RecentDigests();
  for (const slot of slots) digests.add(digestAt(slot));
  return digests;
}

/** The digests of the slots up to `last`, those of multiples of `every` of checkpoints. */
function withCheckpoints(every: number, last: number): RecentDigests {
  const digests = new RecentDigests();
  for (let slot = 1; slot <= last; slot++) {
    if (slot % every === 0) digests.addOfCheckpoint(digestAt(slot));
    else digests.add(digestAt(slot));
  }
  return digests;
}

function slotsOf(digests: RecentDigests): number[] {
  return digests.newestFirst.map(({ slot }) => slot);
}

describe('recent digests', () => {
  test('are listed newest first', () => {
    expect(slotsOf(digestsOf(1, 5, 9))).toEqual([9, 5, 1]);
  });

  test('lose those with a slot that is reverted', () => {
    const digests = digestsOf(1, 5, 9);
    digests.revert(asSlot(5));
    expect(slotsOf(digests)).toEqual([1]);
    digests.revert(asSlot(2));
    expect(slotsOf(digests)).toEqual([1]);
  });

  test('are a bounded number', () => {
    const slots = Array.from({ length: 100 }, (_, index) => index);
    expect(slotsOf(digestsOf(...slots))).toEqual(slots.slice(4).toReversed());
  });

  test('of checkpoints stay while 100 others are taken between two of them', () => {
    const found = slotsOf(withCheckpoints(101, 400));
    expect(found.filter((slot) => slot % 101 === 0)).toEqual([303, 202, 101]);
    // The newest 96 others: 304 to 400 are 97.
    expect(found).toEqual([...range(305, 400).toReversed(), 303, 202, 101]);
  });

  test('of checkpoints are a bounded number', () => {
    const found = slotsOf(withCheckpoints(1, 100));
    expect(found).toEqual(range(5, 100).toReversed());
  });

  test('are listed once where a checkpoint begins at a slot that was asked for', () => {
    const digests = digestsOf(1, 5);
    digests.addOfCheckpoint(digestAt(5));
    digests.addOfCheckpoint(digestAt(5));
    digests.add(digestAt(5));
    expect(slotsOf(digests)).toEqual([5, 1]);
    for (const slot of range(6, 105)) digests.add(digestAt(slot));
    expect(slotsOf(digests).at(-1)).toBe(5);
  });

  test('of checkpoints are lost with a slot that is reverted', () => {
    const digests = withCheckpoints(2, 6);
    digests.revert(asSlot(4));
    expect(slotsOf(digests)).toEqual([3, 2, 1]);
    expect(digests.newest?.slot).toBe(3);
    digests.revert(asSlot(3));
    expect(digests.newest?.slot).toBe(2);
  });
});

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
