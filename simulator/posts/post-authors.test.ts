import { describe, expect, test } from 'vitest';
import { MINUTE_MS, START_MS } from '../../tests/support/social-scene.ts';
import { Random } from '../random/random.ts';
import { isBot, PostAuthors, shownAuthor } from './post-authors.ts';

const authors = new PostAuthors(new Random('authors'), START_MS);
const DAY_MS = 24 * 60 * MINUTE_MS;

describe('accounts of authors', () => {
  test('are credible or not by the criteria of METHODS §8.3: age, followers, posts per day', () => {
    const random = new Random('pick');
    for (let draw = 0; draw < 100; draw++) {
      const quality = authors.pick(random, 'quality');
      expect(START_MS - quality.createdAtMs).toBeGreaterThan(90 * DAY_MS);
      expect(quality.postsPerDay).toBeLessThanOrEqual(100);
      expect(quality.followersAtStart / quality.following).toBeGreaterThan(0.05);
      const spammer = authors.pick(random, 'spammer');
      expect(spammer.postsPerDay).toBeGreaterThan(100);
      const raider = authors.fresh('x', START_MS);
      expect(START_MS - raider.createdAtMs).toBeLessThanOrEqual(3 * DAY_MS);
      expect([quality, spammer, raider].map(isBot)).toEqual([false, true, true]);
    }
  });

  test('have one number of followers in each minute, which grows over days', () => {
    const author = { ...authors.pick(new Random('one'), 'caller'), followersAtStart: 100_000 };
    const grown = { ...author, growthPerDay: 0.05 };
    const followersAt = (timeMs: number) => shownAuthor(grown, START_MS, timeMs).followers;
    const minuteMs = Math.floor(START_MS / MINUTE_MS) * MINUTE_MS + 10 * MINUTE_MS;
    expect(followersAt(minuteMs)).toBe(followersAt(minuteMs + MINUTE_MS - 1));
    // 5 % of 100,000 in 1,440 minutes.
    expect(followersAt(START_MS + DAY_MS)).toBe(105_000);
  });
});
