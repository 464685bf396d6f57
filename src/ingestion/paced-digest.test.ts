import { describe, expect, test } from 'vitest';
import type { StateDigest } from '../model/state-digest.ts';
import { asSlot } from '../model/units.ts';
import { pacedDigest } from './paced-digest.ts';

/** An ingestion whose newest slot and known digests are set, and a clock. */
function scene() {
  const digestOf = (slot: number): StateDigest => {
    return { slot: asSlot(slot), blockhash: null, digest: `digest ${slot}`, parts: [] };
  };
  const scene = {
    slot: 1,
    nowMs: 0,
    recentDigests: [] as StateDigest[],
    digest: () => digestNow(),
  };
  const digestNow = () => {
    const digest = digestOf(scene.slot);
    scene.recentDigests = [digest, ...scene.recentDigests];
    return digest;
  };
  const read = pacedDigest(scene, () => scene.nowMs);
  return { scene, slotAt: (nowMs: number) => Object.assign(scene, { nowMs }) && read()?.slot };
}

describe('a digest on request', () => {
  test('is computed at most every two seconds, however many slots there are', () => {
    const { scene: at, slotAt } = scene();
    expect(slotAt(0)).toBe(1);
    at.slot = 2;
    expect(slotAt(1_999)).toBe(1);
    expect(slotAt(2_000)).toBe(2);
    at.slot = 3;
    expect(slotAt(3_999)).toBe(2);
    expect(slotAt(9_000)).toBe(3);
  });

  test('is computed again when the known one was reverted or its fold replaced', () => {
    const { scene: at, slotAt } = scene();
    expect(slotAt(0)).toBe(1);
    at.slot = 2;
    at.recentDigests = [];
    expect(slotAt(1)).toBe(2);
  });
});
