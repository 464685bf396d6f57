import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Author, authorQuality, postWeight } from './author-quality.ts';

const GOOD: Author = {
  accountAgeDays: 400,
  followers: 1_000,
  following: 300,
  postsPerDay: 5,
  duplicateShare: 0,
};

describe('authorQuality', () => {
  it.each([
    ['an old account with followers', {}, 1],
    ['half way from 3 to 90 days', { accountAgeDays: 46.5 }, 0.5],
    ['three days old', { accountAgeDays: 3 }, 0.05],
    ['followed by 2.5 % of those it follows', { followers: 25, following: 1_000 }, 0.5],
    ['200 posts a day', { postsPerDay: 200 }, 0.5],
    ['three quarters copies', { duplicateShare: 0.75 }, 0.5],
    ['half copies', { duplicateShare: 0.5 }, 1],
    ['all copies', { duplicateShare: 1 }, 0.05],
    ['200 posts a day, three quarters copies', { postsPerDay: 200, duplicateShare: 0.75 }, 0.25],
  ])('of %s', (_, part, quality) => {
    expect(authorQuality({ ...GOOD, ...part })).toBeCloseTo(quality, 12);
  });

  it('is from 0.05 to 1 for every author', () => {
    const count = fc.double({ min: 0, max: 1e9, noNaN: true });
    const authors = fc.record({
      accountAgeDays: count,
      followers: count,
      following: count,
      postsPerDay: count,
      duplicateShare: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(authors, (author) => {
        expect(authorQuality(author)).toBeGreaterThanOrEqual(0.05);
        expect(authorQuality(author)).toBeLessThanOrEqual(1);
      }),
    );
  });
});

describe('postWeight', () => {
  it('grows by the power of ten of the followers and shrinks with each copy', () => {
    expect(postWeight(1, 0, 1)).toBe(1);
    expect(postWeight(0.5, 999, 1)).toBeCloseTo(2, 12);
    expect(postWeight(0.5, 999, 4)).toBeCloseTo(0.5, 12);
  });

  it('lets a raid of 500 copies by fresh accounts move 20 good posts by less than 0.1', () => {
    const good = { weight: 20 * postWeight(1, 1_000, 1), score: 0.2 };
    let raid = 0;
    for (let copy = 1; copy <= 500; copy++) raid += postWeight(0.05, 10, copy);
    const mean = (good.weight * good.score + raid * 1) / (good.weight + raid);
    expect(mean - good.score).toBeGreaterThan(0);
    expect(mean - good.score).toBeLessThan(0.1);
  });
});
