import type { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { buildTracked, POSTED_MS } from '../../../tests/support/build-post.ts';
import { address } from '../../../tests/support/build-transaction.ts';
import { MINUTE_FIGURES, type PostOrder, type PostsQuery } from '../../model/social-reads.ts';
import type { StoredPost } from '../../model/social-series.ts';
import { openOffchainPlane } from './offchain-plane.ts';
import { SocialReader } from './social-reads.ts';
import { SocialStore } from './social-store.ts';

const MINT = address('mint');
const OTHER = address('other');

const open: DatabaseSync[] = [];
afterEach(() => {
  for (const database of open.splice(0)) database.close();
});

function openStore() {
  const database = openOffchainPlane(':memory:');
  open.push(database);
  const store = new SocialStore(database);
  for (const mint of [MINT, OTHER]) store.track(buildTracked({ mint }), POSTED_MS);
  return { store, reader: new SocialReader(database), database };
}

function stored(parts: Partial<StoredPost> = {}): StoredPost {
  return {
    ...{ platform: 'x', postId: '1', authorId: 'a', authorHandle: null, text: 'words', url: null },
    ...{
      followers: 5,
      reportedFollowers: 5,
      reposts: 2,
      createdAtMs: POSTED_MS,
      minuteMs: POSTED_MS,
    },
    ...{
      sentimentMicro: -7,
      qualityMicro: 50_000,
      weightMicro: 9,
      copyNumber: 2,
      accountNumber: 1,
      boundedFollowers: 5,
      modelVersion: 'm1',
    },
    ...{ signature: Uint8Array.of(255, 0, 1), mints: [MINT], isDeleted: false },
    ...parts,
  };
}

describe('SocialStore', () => {
  it('returns a post as it was added, and as it was edited', () => {
    const { store } = openStore();
    const post = stored({
      mints: [MINT, OTHER],
      reportedFollowers: null,
      followers: 0,
      minuteMs: null,
    });
    store.add(post);
    expect(store.post('x', '1')).toEqual(post);
    const edited = { ...post, text: 'others', reposts: 9, sentimentMicro: 1, modelVersion: 'm2' };
    store.edit(edited);
    expect(store.post('x', '1')).toEqual(edited);
    expect(store.post('reddit', '1')).toBeNull();
  });

  it('stores hostile texts unchanged', () => {
    const { store } = openStore();
    const text = `'); DROP TABLE social_posts; --\u0000\u202e😀"`;
    store.add(stored({ text, authorHandle: text, url: text }));
    expect(store.post('x', '1')).toMatchObject({ text, authorHandle: text, url: text });
  });

  it('counts each post of a platform once', () => {
    const { store } = openStore();
    store.add(stored());
    expect(() => store.add(stored())).toThrow(/UNIQUE/);
  });

  it('removes old posts in batches, and keeps their sums', () => {
    const { store, reader } = openStore();
    for (let at = 0; at < 5; at++) store.add(stored({ postId: `${at}`, createdAtMs: at }));
    store.writeTotals(MINT, { ...store.totals(MINT), posts: 5 });
    expect([store.prune(4, 3), store.prune(4, 3), store.prune(4, 3)]).toEqual([3, 1, 0]);
    expect(store.post('x', '3')).toBeNull();
    expect(store.post('x', '4')).not.toBeNull();
    expect(reader.tracked(MINT)?.totals.posts).toBe(5);
  });

  it('removes the author of a deleted post once it no longer counts for copies', () => {
    const { store, database } = openStore();
    store.add(stored());
    store.remove(stored());
    expect(store.recent(0, 9)).toMatchObject([
      { authorId: 'a', signature: Uint8Array.of(255, 0, 1) },
    ]);
    store.forgetDeleted(POSTED_MS + 1);
    expect(store.recent(0, 9)).toMatchObject([{ authorId: '', signature: null }]);
    expect(store.post('x', '1')?.isDeleted).toBe(true);
    expect(database.prepare('SELECT * FROM social_mentions').all()).toEqual([]);
  });

  it('throws for a token that is not tracked', () => {
    const { store } = openStore();
    expect(() => store.totals(address('nowhere'))).toThrow(RangeError);
  });
});

const maybe = (max: number) => fc.option(fc.nat(max), { nil: null });
const arbitraryPosts = fc.array(
  fc.record({
    reportedFollowers: maybe(4),
    createdAtMs: fc.nat(6).map((at) => POSTED_MS + at),
    mints: fc.constantFrom([MINT], [OTHER], [MINT, OTHER]),
  }),
  { maxLength: 25 },
);

describe('figures of minutes', () => {
  it('equal those of the sums, only in the requested range', () => {
    const { store, reader } = openStore();
    const sums = {
      ...{ posts: 4, distinctPosts: 3, weightMicro: 8_000_000, weightedMicro: -2_000_000 },
      ...{ sentimentMicro: 400_000, reach: 1_500, qualityReach: 900 },
      ...{ platforms: ['bluesky', 'x'] as const, modelVersions: ['m1'] },
    };
    for (const minuteMs of [60_000, 120_000, 180_000])
      store.writeMinute(MINT, { minuteMs, ...sums });
    const range = { mint: MINT, fromMs: 120_000, toMs: 180_000, isExplained: false };
    const values = MINUTE_FIGURES.map((figure) => reader.values({ ...range, figure }));
    expect(values.flat().map(({ minuteMs }) => minuteMs)).toEqual(Array(6).fill(120_000));
    expect(values.flat().map(({ value }) => value)).toEqual([-0.25, 0.1, 1_500, 900, 4, 3]);
    const explained = reader.values({ ...range, figure: 'posts', isExplained: true });
    expect(explained[0]?.origin).toEqual({ platforms: ['bluesky', 'x'], modelVersions: ['m1'] });
  });
});

describe('pages of posts', () => {
  it('equal the pages of all posts sorted in memory', () => {
    const query = fc.record({
      orderBy: fc.constantFrom<PostOrder[]>('created_at', 'followers_count'),
      orderDir: fc.constantFrom('asc' as const, 'desc' as const),
      offset: fc.nat(20),
      limit: fc.integer({ min: 1, max: 8 }),
      minFollowers: maybe(4),
      maxFollowers: maybe(4),
      fromMs: maybe(6).map((at) => (at === null ? null : POSTED_MS + at)),
      toMs: maybe(7).map((at) => (at === null ? null : POSTED_MS + at)),
    });
    fc.assert(
      fc.property(arbitraryPosts, query, (posts, asked) => {
        const { store, reader, database } = openStore();
        for (const [at, post] of posts.entries()) {
          const followers = post.reportedFollowers ?? 0;
          store.add(stored({ ...post, followers, postId: `${at}` }));
        }
        const page = reader.posts({ ...asked, mint: MINT });
        const expected = expectedPage(posts, asked);
        database.close();
        open.pop();
        expect(page.total).toBe(expected.total);
        expect(page.posts.map(({ postId }) => Number(postId))).toEqual(expected.posts);
      }),
      { numRuns: 60 },
    );
  });
});

type Asked = Omit<PostsQuery, 'mint'>;
type ListedParts = Pick<StoredPost, 'reportedFollowers' | 'createdAtMs' | 'mints'>;

function expectedPage(posts: readonly ListedParts[], asked: Asked) {
  const sign = asked.orderDir === 'asc' ? 1 : -1;
  const { minFollowers, maxFollowers, fromMs, toMs } = asked;
  const found = [...posts.entries()]
    .filter(([, post]) => post.mints.includes(MINT))
    .filter(([, { reportedFollowers: known }]) => (known ?? 0) >= (minFollowers ?? 0))
    .filter(([, { reportedFollowers: known }]) => (known ?? 0) <= (maxFollowers ?? 9))
    .filter(([, { createdAtMs }]) => createdAtMs >= (fromMs ?? 0))
    .filter(([, { createdAtMs }]) => toMs === null || createdAtMs < toMs)
    .sort(([oneAt, one], [otherAt, other]) => {
      const isByFollowers = asked.orderBy === 'followers_count';
      const [known, otherKnown] = [one.reportedFollowers, other.reportedFollowers];
      const unknownLast = Number(known === null) - Number(otherKnown === null);
      const byFollowers = isByFollowers ? (known ?? 0) - (otherKnown ?? 0) : 0;
      const byTime = one.createdAtMs - other.createdAtMs || oneAt - otherAt;
      return (isByFollowers ? unknownLast : 0) || sign * (byFollowers || byTime);
    })
    .map(([at]) => at);
  return { total: found.length, posts: found.slice(asked.offset, asked.offset + asked.limit) };
}
