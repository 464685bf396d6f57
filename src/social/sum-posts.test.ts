import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CountedPost, MICRO } from '../model/social-series.ts';
import { figuresOfHour, sumMinute } from './sum-posts.ts';

const NOW_MS = Date.UTC(2026, 0, 5, 12);
const MINUTE_MS = 60_000;

function post(parts: Partial<CountedPost> = {}): CountedPost {
  return {
    platform: 'x',
    postId: '1',
    authorId: 'a',
    followers: 1_000,
    reposts: 0,
    createdAtMs: NOW_MS - 1,
    sentimentMicro: 0,
    qualityMicro: MICRO,
    weightMicro: MICRO,
    copyNumber: 1,
    accountNumber: 1,
    boundedFollowers: parts.followers ?? 1_000,
    modelVersion: 'm1',
    ...parts,
  };
}

const arbitraryPosts = fc.array(
  fc.record({
    platform: fc.constantFrom('x' as const, 'reddit' as const),
    postId: fc.nat(1_000).map(String),
    authorId: fc.nat(5).map(String),
    followers: fc.nat(1_000_000_000),
    reposts: fc.nat(100_000),
    createdAtMs: fc.nat(90 * MINUTE_MS).map((ageMs) => NOW_MS - ageMs),
    sentimentMicro: fc.integer({ min: -MICRO, max: MICRO }),
    qualityMicro: fc.integer({ min: 50_000, max: MICRO }),
    weightMicro: fc.integer({ min: 1, max: 20 * MICRO }),
    copyNumber: fc.integer({ min: 1, max: 9 }),
    accountNumber: fc.integer({ min: 1, max: 9 }),
    boundedFollowers: fc.nat(1_000_000),
    modelVersion: fc.constantFrom('m1', 'm2'),
  }),
  { maxLength: 60 },
);

describe('sumMinute', () => {
  it('counts an account of 1,000 followers that posts three times as a reach of 1,000', () => {
    const sums = sumMinute(
      0,
      ['1', '2', '3'].map((postId) => post({ postId })),
    );
    expect([sums.posts, sums.reach]).toEqual([3, 1_000]);
  });

  it('adds the followers of two accounts, also with equal names on two platforms', () => {
    expect(sumMinute(0, [post(), post({ postId: '2', authorId: 'b' })]).reach).toBe(2_000);
    expect(sumMinute(0, [post(), post({ postId: '2', platform: 'reddit' })]).reach).toBe(2_000);
  });

  it('uses the newest known followers of an account', () => {
    const older = post({ followers: 9_000, createdAtMs: NOW_MS - 2 });
    expect(sumMinute(0, [post({ postId: '2' }), older]).reach).toBe(1_000);
  });

  it('has one weighted and one unweighted series', () => {
    // 3 · 0.5 and 1 · −0.1: 1.4 of 4 weighted; 0.4 of 2 not.
    const sums = sumMinute(0, [
      post({ weightMicro: 3 * MICRO, sentimentMicro: 500_000 }),
      post({
        postId: '2',
        sentimentMicro: -100_000,
        copyNumber: 2,
        qualityMicro: 500_000,
        authorId: 'b',
      }),
    ]);
    expect(sums.weightedMicro / sums.weightMicro).toBeCloseTo(0.35, 12);
    expect(sums.sentimentMicro / sums.posts / MICRO).toBeCloseTo(0.2, 12);
    expect([sums.distinctPosts, sums.qualityReach]).toEqual([1, 1_500]);
    expect([sums.platforms, sums.modelVersions]).toEqual([['x'], ['m1']]);
  });

  it('stays within −1 and 1, and does not depend on the order', () => {
    fc.assert(
      fc.property(arbitraryPosts, (posts) => {
        const sums = sumMinute(0, posts);
        expect(Math.abs(sums.weightedMicro)).toBeLessThanOrEqual(sums.weightMicro);
        const unique = [...new Map(posts.map((each) => [each.postId, each])).values()];
        expect(sumMinute(0, unique.toReversed())).toEqual(sumMinute(0, unique));
      }),
    );
  });
});

describe('figuresOfHour', () => {
  it('reaches 31,000 with 1,000 followers, and 50,000 of half quality and three reposts', () => {
    // 1,000 · 1 · 1 + 50,000 · 0.5 · (1 + 0.1 · log2 4) = 1,000 + 30,000
    const posts = [
      post(),
      post({ postId: '2', authorId: 'b', followers: 50_000, qualityMicro: 500_000, reposts: 3 }),
    ];
    expect(figuresOfHour(NOW_MS, posts).blastRadius).toBe(31_000);
  });

  it('halves the weight of posts every fifteen minutes', () => {
    // 1 now and −1 a quarter of an hour ago: (1 − 0.5) / 1.5.
    const posts = [
      post({ createdAtMs: NOW_MS, sentimentMicro: MICRO }),
      post({ postId: '2', createdAtMs: NOW_MS - 15 * MINUTE_MS, sentimentMicro: -MICRO }),
    ];
    expect(figuresOfHour(NOW_MS, posts).sentimentMicro).toBe(333_333);
  });

  it('covers exactly an hour, and no later posts', () => {
    const posts = [post({ createdAtMs: NOW_MS, sentimentMicro: MICRO })];
    const figuresAfter = (ms: number) => figuresOfHour(NOW_MS + ms, posts);
    expect(figuresAfter(-1)).toEqual({
      atMs: NOW_MS - 1,
      posts: 0,
      sentimentMicro: 0,
      blastRadius: 0,
    });
    expect(figuresAfter(60 * MINUTE_MS - 1)).toMatchObject({ posts: 1, blastRadius: 1_000 });
    expect(figuresAfter(60 * MINUTE_MS)).toMatchObject({
      posts: 0,
      sentimentMicro: 0,
      blastRadius: 0,
    });
  });

  it('stays within −1 and 1, does not depend on the order, and grows with every account', () => {
    fc.assert(
      fc.property(arbitraryPosts, (posts) => {
        const unique = [...new Map(posts.map((each) => [each.postId, each])).values()];
        const figures = figuresOfHour(NOW_MS, unique);
        expect(Math.abs(figures.sentimentMicro)).toBeLessThanOrEqual(MICRO);
        expect(figuresOfHour(NOW_MS, unique.toReversed())).toEqual(figures);
        const more = [...unique, post({ postId: 'new', authorId: 'new' })];
        expect(figuresOfHour(NOW_MS, more).blastRadius).toBeGreaterThan(figures.blastRadius);
      }),
    );
  });
});
