import { describe, expect, it } from 'vitest';
import { FOLLOWERS_UNSEEN_MAX, FollowerBounds } from './follower-bounds.ts';

const DAY_MS = 86_400_000;
const CLAIM = 1_000_000_000;

describe('FollowerBounds', () => {
  it('is the 99.9th percentile of a sorted list, within a sixteenth', () => {
    const bounds = new FollowerBounds(10_000);
    const followers = Array.from({ length: 5_000 }, (_, at) => (at * at * 7) % 300_007);
    for (const [at, count] of followers.entries()) bounds.note('x', `${at}`, count, at);
    const sorted = followers.toSorted((one, other) => one - other);
    // Five of 5,000 may be above.
    const exact = sorted[sorted.length - 1 - 5] ?? 0;
    const bound = bounds.bounded('x', CLAIM);
    expect(bound).toBeGreaterThanOrEqual(exact);
    expect(bound).toBeLessThanOrEqual(exact * (1 + 1 / 16));
    expect(bounds.bounded('x', 12)).toBe(12);
    // Other platforms have accounts of their own.
    expect(bounds.bounded('reddit', CLAIM)).toBe(FOLLOWERS_UNSEEN_MAX);
  });

  it('counts an account once, and none that was last seen a day ago', () => {
    const bounds = new FollowerBounds(10_000);
    for (let at = 0; at < 2_000; at++) bounds.note('x', 'same', CLAIM, 0);
    expect(bounds.bounded('x', CLAIM)).toBe(FOLLOWERS_UNSEEN_MAX);
    for (let at = 0; at < 1_000; at++) bounds.note('x', `${at}`, 100, 1);
    expect(bounds.bounded('x', CLAIM)).toBeLessThan(107);
    bounds.note('x', 'later', 100, 1 + DAY_MS);
    expect(bounds.bounded('x', CLAIM)).toBe(FOLLOWERS_UNSEEN_MAX);
  });
});
