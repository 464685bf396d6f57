import { describe, expect, test } from 'vitest';
import { asSlot } from '../model/units.ts';
import { RecentDigests } from './recent-digests.ts';

function digestsOf(...slots: number[]): RecentDigests {
  const digests = new RecentDigests();
  for (const slot of slots) {
    digests.add({ slot: asSlot(slot), blockhash: null, digest: `digest ${slot}`, parts: [] });
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
});
