import type { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import {
  buildAuthor,
  buildPost,
  buildTracked,
  eventsOf,
  POSTED_MS,
} from '../../tests/support/build-post.ts';
import { address } from '../../tests/support/build-transaction.ts';
import { NaiveSocial } from '../../tests/support/naive-social.ts';
import type { PostEvent, SocialPost } from '../model/social-post.ts';
import { MICRO, POSTS_OF_MINUTE_MAX, type SocialArchive } from '../model/social-series.ts';
import type { Address } from '../model/units.ts';
import { openOffchainPlane } from '../store/offchain/offchain-plane.ts';
import { SocialReader } from '../store/offchain/social-reads.ts';
import { SocialStore } from '../store/offchain/social-store.ts';
import { TokenIndex } from './match-post.ts';
import { SocialBook } from './social-book.ts';
import { PostWeigher } from './weigh-post.ts';

const MINUTE_MS = 60_000;
const MINT = address('mint');
const OTHER = address('other');
const MINTS = [MINT, OTHER];
const MOODS: Readonly<Record<string, number>> = { good: 0.8, fair: 0.1, bad: -0.6 };

/** An obvious mood: that of the first word. */
const score = (text: string) => MOODS[text.split(' ')[0] ?? ''] ?? 0;

const open: DatabaseSync[] = [];
afterEach(() => {
  for (const database of open.splice(0)) database.close();
});

function scene(wrap: (store: SocialStore) => SocialArchive = (store) => store) {
  const database = openOffchainPlane(':memory:');
  open.push(database);
  const archive = new SocialStore(database);
  const tokens = new TokenIndex();
  for (const mint of MINTS) {
    const token = buildTracked({ mint, symbol: null });
    archive.track(token, POSTED_MS);
    tokens.put(token);
  }
  const weigher = new PostWeigher();
  const book = new SocialBook({
    archive: wrap(archive),
    tokens,
    weigher,
    score,
    modelVersion: 'm1',
  });
  const takeAll = (events: readonly PostEvent[], nowMs: number, isHistory: boolean) => {
    archive.inTransaction(() => {
      for (const one of events) book.take(one, { nowMs, isHistory });
      book.settle(nowMs);
    });
  };
  const take = (events: PostEvent, nowMs: number = POSTED_MS, isHistory = false) => {
    takeAll([events], nowMs, isHistory);
  };
  const reader = new SocialReader(database);
  return { book, take, takeAll, reader, archive };
}

function minutesOf(reader: SocialReader, mint: Address = MINT) {
  return reader.series(mint, 0, Number.MAX_SAFE_INTEGER);
}

describe('SocialBook', () => {
  it('counts a post once, however often it arrives', () => {
    const { book, take, reader } = scene();
    for (let time = 0; time < 3; time++) take(eventsOf());
    expect(minutesOf(reader)).toMatchObject([{ posts: 1, reach: 1_000 }]);
    expect(reader.tracked(MINT)?.totals).toMatchObject({ posts: 1, reach: 1_000 });
    expect(book.counts).toMatchObject({ taken: 1, repeated: 2 });
  });

  it('counts the same post id on two platforms as two posts', () => {
    const { take, reader } = scene();
    take(eventsOf());
    take(eventsOf({ platform: 'x' }));
    expect(minutesOf(reader)).toMatchObject([{ posts: 2, platforms: ['bluesky', 'x'] }]);
  });

  it('lets an edit change text, sentiment and reposts, and nothing else', () => {
    const { take, reader } = scene();
    take(eventsOf({ text: `good ${MINT}` }));
    const [before] = minutesOf(reader);
    take(eventsOf({ text: `bad ${OTHER}` }));
    const [after] = minutesOf(reader);
    expect(before?.sentimentMicro).toBe(800_000);
    expect(after).toEqual({
      ...before,
      sentimentMicro: -600_000,
      weightedMicro: after?.weightedMicro,
    });
    expect(after?.weightedMicro).toBe(Math.round(-0.6 * (after?.weightMicro ?? 0)));
    expect(reader.tracked(MINT)?.totals.sentimentMicro).toBe(-600_000);
    expect(minutesOf(reader, OTHER)).toEqual([]);
  });

  it('removes a deleted post and its text permanently', () => {
    const { take, reader, archive } = scene();
    take(eventsOf());
    const deleted = { kind: 'deleted', platform: 'bluesky', postId: 'post-1' } as const;
    take(deleted);
    take(eventsOf());
    expect(minutesOf(reader)).toEqual([]);
    expect(reader.tracked(MINT)).toMatchObject({
      totals: { posts: 0, weightMicro: 0, weightedMicro: 0, sentimentMicro: 0, reach: 0 },
      hour: { posts: 0, blastRadius: 0 },
    });
    expect(archive.post('bluesky', 'post-1')).toMatchObject({
      ...{ text: '', url: null, authorHandle: null, reportedFollowers: null, mints: [] },
    });
  });

  it('refuses a post whose deletion arrived before it', () => {
    const { take, reader } = scene();
    take({ kind: 'deleted', platform: 'bluesky', postId: 'post-1' });
    take(eventsOf());
    expect(reader.tracked(MINT)?.totals.posts).toBe(0);
  });

  it('uses the followers of an account’s newest post, and of the one before when it is deleted', () => {
    const { take, reader } = scene();
    const author = (followers: number) => buildAuthor({ followers });
    take(eventsOf({ postId: 'b', author: author(50), createdAtMs: POSTED_MS - 1 }));
    take(eventsOf({ postId: 'a', author: author(10), createdAtMs: POSTED_MS - 2 }));
    expect(reader.tracked(MINT)?.totals.reach).toBe(50);
    take({ kind: 'deleted', platform: 'bluesky', postId: 'b' });
    expect(reader.tracked(MINT)?.totals.reach).toBe(10);
  });

  it('counts a post up to ten minutes late in its minute, and a later one only in the totals', () => {
    const { take, reader, book } = scene();
    take(eventsOf({ postId: '1' }), POSTED_MS + 10 * MINUTE_MS);
    take(eventsOf({ postId: '2' }), POSTED_MS + 10 * MINUTE_MS + 1);
    expect(minutesOf(reader)).toMatchObject([{ posts: 1 }]);
    expect(reader.tracked(MINT)).toMatchObject({ totals: { posts: 2 }, hour: { posts: 1 } });
    expect(book.counts.late).toBe(1);
    // Imported history is not late.
    take(eventsOf({ postId: '3' }), POSTED_MS + 10 * MINUTE_MS + 1, true);
    expect(minutesOf(reader)).toMatchObject([{ posts: 2 }]);
  });

  it('accepts a bounded number of posts per minute', () => {
    const { take, reader, book } = scene((store) => {
      const minuteOf = (mint: Address) => Array(mint === OTHER ? POSTS_OF_MINUTE_MAX : 0).fill({});
      return Object.assign(Object.create(store), { postsOfMinute: minuteOf });
    });
    take(eventsOf({ text: `${MINT} and ${OTHER}` }));
    take(eventsOf({ postId: 'more', text: OTHER }));
    expect(reader.tracked(MINT)?.totals.posts).toBe(1);
    expect(reader.tracked(OTHER)?.totals.posts).toBe(0);
    expect(book.counts).toMatchObject({ taken: 1, flooded: 2 });
  });

  it('ignores posts from before tracking began, and older than posts are kept', () => {
    const { take, reader, book } = scene();
    const sinceMs = buildTracked().trackingSinceMs;
    take(eventsOf({ postId: '1', createdAtMs: sinceMs - 1 }), POSTED_MS, true);
    take(eventsOf({ postId: '2', createdAtMs: sinceMs }), POSTED_MS, true);
    take(eventsOf({ postId: '3' }), POSTED_MS + 91 * 86_400_000, true);
    expect(reader.tracked(MINT)?.totals.posts).toBe(1);
    expect(book.counts.tooOld).toBe(2);
  });

  it('treats a post from the future as created now', () => {
    const { take, reader } = scene();
    take(eventsOf({ createdAtMs: POSTED_MS + 86_400_000 }));
    expect(minutesOf(reader)).toMatchObject([{ minuteMs: POSTED_MS - (POSTED_MS % MINUTE_MS) }]);
  });

  it('lets 500 copies by fresh accounts move 20 good posts by less than 0.1', () => {
    const { takeAll, reader } = scene();
    const talk = Array.from({ length: 20 }, (_, at) => {
      const author = buildAuthor({ id: `good ${at}`, followers: 5_000 });
      return eventsOf({
        postId: `good ${at}`,
        author,
        text: `fair words ${at * 7_919} of ${at} ${MINT}`,
      });
    });
    takeAll(talk, POSTED_MS, false);
    const before = reader.tracked(MINT)?.hour.sentimentMicro ?? 0;
    const raid = Array.from({ length: 500 }, (_, at) => {
      const fresh = { createdAtMs: POSTED_MS - 3_600_000, followers: 3, following: 900 };
      const author = buildAuthor({ id: `raider ${at}`, ...fresh });
      return eventsOf({ postId: `raid ${at}`, author, text: `good thing, buy it now ${MINT}` });
    });
    takeAll(raid, POSTED_MS, false);
    const after = reader.tracked(MINT);
    expect(before).toBe(100_000);
    expect(after?.hour.posts).toBe(520);
    expect(after?.hour.sentimentMicro).toBeGreaterThan(before);
    expect(after?.hour.sentimentMicro).toBeLessThan(before + 100_000);
  });
});

const arbitraryPost: fc.Arbitrary<SocialPost> = fc
  .record({
    platform: fc.constantFrom('x' as const, 'reddit' as const),
    postId: fc.nat(14).map((id) => `p${id}`),
    authorId: fc.nat(4).map((id) => `a${id}`),
    followers: fc.constantFrom(0, 10, 5_000, 2_000_000),
    words: fc.constantFrom('good indeed', 'fair enough', 'bad as it gets', 'bad'),
    mints: fc.subarray(MINTS, { minLength: 0 }),
    ageMs: fc.nat(80 * MINUTE_MS),
    reposts: fc.constantFrom(null, 0, 3, 100),
  })
  .map(({ platform, postId, authorId, followers, words, mints, ageMs, reposts }) =>
    buildPost({
      ...{ platform, postId, reposts, createdAtMs: POSTED_MS - ageMs },
      author: buildAuthor({ id: authorId, followers }),
      text: [words, ...mints].join(' '),
    }),
  );

const arbitraryEvents = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: arbitraryPost.map((post) => ({ kind: 'post' as const, post })) },
    {
      weight: 1,
      arbitrary: arbitraryPost.map(({ platform, postId }) => ({
        ...{ kind: 'deleted' as const, platform, postId },
      })),
    },
  ),
  { minLength: 10, maxLength: 60, size: 'max' },
);

describe('the stored figures', () => {
  it('equal a recount of all events', () => {
    fc.assert(
      fc.property(arbitraryEvents, fc.boolean(), (events, isHistory) => {
        const { takeAll, reader } = scene();
        for (const batch of [events.slice(0, 20), events.slice(20)]) {
          takeAll(batch, POSTED_MS, isHistory);
        }
        const naive = naiveOf(events, isHistory);
        for (const mint of MINTS) expectSame(reader, naive, mint);
      }),
      { numRuns: 100 },
    );
  });
});

/** Words that no other number has. */
function wordsOf(number: number): string {
  const own = `${'bcdfgh'[number % 6]}${'vwxyz'[Math.floor(number / 6)]}`;
  return ['ka', 'lo', 'mi', 'nu', 'pe', 'ri'].map((word) => `${own}${word}${own}`).join(' ');
}

describe('posts of different authors with different texts', () => {
  it('are counted equally in every order and in batches of every size', () => {
    const shuffled = fc.shuffledSubarray(
      Array.from({ length: 30 }, (_, at) =>
        eventsOf({
          ...{ postId: `p${at}`, createdAtMs: POSTED_MS - at * 7_919, reposts: at % 5 },
          author: buildAuthor({ id: `a${at}`, followers: at * 100 }),
          text: `${at % 2 === 0 ? 'good' : 'bad'} ${wordsOf(at)} ${MINTS[at % 2]}`,
        }),
      ),
      { minLength: 30 },
    );
    const figures = (order: readonly PostEvent[], size: number) => {
      const { takeAll, reader } = scene();
      for (let at = 0; at < order.length; at += size) {
        takeAll(order.slice(at, at + size), POSTED_MS, false);
      }
      return MINTS.map((mint) => [reader.tracked(mint), minutesOf(reader, mint)]);
    };
    fc.assert(
      fc.property(shuffled, shuffled, fc.integer({ min: 1, max: 30 }), (one, other, size) => {
        expect(figures(one, size)).toEqual(figures(other, 30));
      }),
      { numRuns: 20 },
    );
  });
});

/** The oracle, which ignores posts after their deletion. */
function naiveOf(events: readonly PostEvent[], isHistory: boolean): NaiveSocial {
  const naive = new NaiveSocial(({ text }) => MINTS.filter((mint) => text.includes(mint)), score);
  const gone = new Set<string>();
  for (const one of events) {
    const { platform, postId } = one.kind === 'post' ? one.post : one;
    const name = `${platform}/${postId}`;
    if (!gone.has(name)) naive.take(one, POSTED_MS, isHistory);
    if (one.kind === 'deleted') gone.add(name);
  }
  return naive;
}

function expectSame(reader: SocialReader, naive: NaiveSocial, mint: Address): void {
  const minutes = minutesOf(reader, mint);
  const actual = minutes.map(({ minuteMs, posts, reach, ...sums }) => ({
    ...{ minuteMs, posts, reach },
    sentiment: rounded(sums.weightedMicro / sums.weightMicro),
    rawSentiment: rounded(sums.sentimentMicro / posts / MICRO),
  }));
  expectClose(actual, naive.minutesOf(mint));
  const { totals, hour } = figuresOf(reader, mint);
  const { posts, reach, weightMicro, weightedMicro, sentimentMicro } = totals;
  const sentiment = rounded(weightedMicro / Math.max(1, weightMicro));
  const rawSentiment = rounded(sentimentMicro / Math.max(1, posts) / MICRO);
  expectClose([{ posts, reach, sentiment, rawSentiment }], [naive.totalsOf(mint)]);
  const last = naive.hourOf(mint, POSTED_MS);
  expect(hour.posts).toBe(last.posts);
  expect(hour.sentimentMicro / MICRO).toBeCloseTo(last.sentiment, 3);
  // Qualities are stored in millionths, which gives a small error for millions of followers.
  expect(Math.abs(hour.blastRadius - last.blastRadius)).toBeLessThanOrEqual(20);
}

function figuresOf(reader: SocialReader, mint: Address) {
  const tracked = reader.tracked(mint);
  if (tracked === null) throw new Error('the token is tracked');
  return tracked;
}

/** Equal except for the fourth digit of means. */
function expectClose(actual: readonly object[], expected: readonly object[]): void {
  expect(actual.length).toBe(expected.length);
  for (const [at, figures] of actual.entries()) {
    const wanted = new Map<string, number>(Object.entries(expected[at] ?? {}));
    for (const [name, value] of Object.entries(figures)) {
      const digits = name.toLowerCase().includes('sentiment') ? 3 : 9;
      expect(value).toBeCloseTo(wanted.get(name) ?? Number.NaN, digits);
    }
  }
}

function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
