import type { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PostLedger } from '../../simulator/posts/post-ledger.ts';
import type { FeedEntry, PostRecord } from '../../simulator/posts/social-post.ts';
import { SocialService } from '../../src/gathering/social-service.ts';
import type { PostEvent, SocialPost } from '../../src/model/social-post.ts';
import { MICRO } from '../../src/model/social-series.ts';
import type { Address } from '../../src/model/units.ts';
import { createPostScorer } from '../../src/social/sentiment/score-post.ts';
import { readShippedModel } from '../../src/social/sentiment/weights-file.ts';
import { openOffchainPlane } from '../../src/store/offchain/offchain-plane.ts';
import { SocialReader } from '../../src/store/offchain/social-reads.ts';
import {
  dramaticLife,
  MINUTE_MS,
  SocialScene,
  START_MS,
  steadyLife,
} from '../support/social-scene.ts';

const MINUTES = 24;
const SLOTS_PER_MINUTE = 150;
const DAY_MS = 86_400_000;

/** Counted posts about a simulated market, compared with the posts that the market records. */
describe('counted posts of a simulated market', () => {
  const { weights, card } = readShippedModel();
  const scorer = createPostScorer(weights);
  const score = (text: string) => scorer(text).score;
  const scene = new SocialScene(
    'counted posts',
    [dramaticLife('WAVE'), steadyLife('CALM', 1), dramaticLife('TWIN', 2), dramaticLife('twin', 3)],
    { raidChance: 1, raidPosts: 150, chatter: 2 },
  );
  const tokens = scene.tokens.all();
  const entries: FeedEntry[] = [];
  let database: DatabaseSync;
  let reader: SocialReader;
  let nowMs = START_MS;
  let service: SocialService;

  beforeAll(async () => {
    database = openOffchainPlane(':memory:');
    reader = new SocialReader(database);
    const parts = { database, nowMs: () => nowMs, score, modelVersion: card.version };
    service = new SocialService(parts);
    service.track(
      tokens.map(({ mint, symbol, handle, website }) => ({
        ...{ mint, symbol, trackingSinceMs: START_MS, isLiquid: true },
        officialLinks: [
          ...(handle === null ? [] : [`https://x.com/${handle}`]),
          ...(website === null ? [] : [website]),
        ],
      })),
    );
    for (let slot = 1; slot <= MINUTES * SLOTS_PER_MINUTE; slot++) {
      const posted = scene.step();
      nowMs = START_MS + slot * 400;
      entries.push(...posted);
      await service.emit(posted.flatMap((entry) => updatesOf(entry.record, posts)));
      if (slot % 75 === 0) while (service.flush());
    }
    while (service.flush());
  });

  afterAll(() => database.close());

  const posts = new Map<string, SocialPost>();

  /** Both are tracked from the start: no other token has their cashtags, launched or not. */
  const twins = new Set(
    tokens.filter(({ symbol }) => /^twin$/i.test(symbol)).map(({ mint }) => mint),
  );

  it('are those of its ledger, minute by minute', () => {
    // A post counts for the tokens that its text identifies.
    const book = new PostLedger(({ by, isAmbiguous }) => by !== 'name' && !isAmbiguous);
    for (const entry of entries) book.apply(entry);
    let compared = 0;
    for (const { mint } of tokens.filter((token) => !twins.has(token.mint))) {
      const expected = book
        .minutesOf(mint)
        .map(({ minuteMs, posts: all, deleted }) => ({ minuteMs, posts: all - deleted }))
        .filter((minute) => minute.posts > 0);
      const counted = reader.series(mint, 0, Number.MAX_SAFE_INTEGER);
      expect(counted.map(({ minuteMs, posts: count }) => ({ minuteMs, posts: count }))).toEqual(
        expected.sort((one, other) => one.minuteMs - other.minuteMs),
      );
      compared += expected.length;
    }
    expect(compared).toBeGreaterThan(20);
  });

  it('have the reach and mood of a full recount', () => {
    for (const { mint } of tokens) {
      const standing = standingAbout(entries, mint, twins);
      for (const minute of reader.series(mint, 0, Number.MAX_SAFE_INTEGER)) {
        const own = standing.filter(
          ({ createdAtMs }) => Math.floor(createdAtMs / MINUTE_MS) * MINUTE_MS === minute.minuteMs,
        );
        const followers = new Map(
          own.map(({ platform, author }) => [`${platform} ${author.id}`, author.followers ?? 0]),
        );
        expect(minute.posts).toBe(own.length);
        expect(minute.reach).toBe([...followers.values()].reduce((sum, each) => sum + each, 0));
        const mean = own.reduce((sum, post) => sum + score(post.text), 0) / own.length;
        expect(minute.sentimentMicro / MICRO / minute.posts).toBeCloseTo(mean, 5);
      }
      const { totals } = reader.tracked(mint) ?? {};
      expect(totals?.posts).toBe(standing.length);
    }
  });

  it('are affected less by raids when posts are weighted', () => {
    const raided = entries.filter(({ truth }) => truth.isRaid);
    expect(raided.length).toBeGreaterThan(100);
    const raw = tokens.reduce(
      (sum, { mint }) => sum + (reader.tracked(mint)?.totals.posts ?? 0),
      0,
    );
    const first = tokens.reduce(
      (sum, { mint }) =>
        sum +
        reader
          .series(mint, 0, Number.MAX_SAFE_INTEGER)
          .reduce((count, minute) => count + minute.distinctPosts, 0),
      0,
    );
    expect(first).toBeLessThan(raw - raided.length / 2);
  });

  function updatesOf(record: PostRecord, known: Map<string, SocialPost>): PostEvent[] {
    const { platform, postId } = record;
    const name = `${platform} ${postId}`;
    if (record.kind === 'delete') return [{ kind: 'deleted', platform, postId }];
    const before = known.get(name);
    if (record.kind === 'edit' && before === undefined) return [];
    const post = record.kind === 'post' ? toPost(record) : before;
    if (post === undefined) return [];
    const now = { ...post, text: record.text };
    known.set(name, now);
    return [{ kind: 'post', post: now }];
  }
});

function toPost(record: PostRecord & { readonly kind: 'post' }): SocialPost {
  const { platform, postId, author, text, postedAtMs, engagement } = record;
  const ageDays = Math.max(1, (postedAtMs - author.createdAtMs) / DAY_MS);
  return {
    ...{ platform, postId, text, url: null, links: [], reposts: engagement.reposts },
    author: { ...author, postCount: Math.round(author.postsPerDay * ageDays) },
    createdAtMs: postedAtMs,
  };
}

/** Posts about a token that were not deleted, with their last text, from the ground truth. */
function standingAbout(
  entries: readonly FeedEntry[],
  mint: Address,
  twins: ReadonlySet<Address>,
): SocialPost[] {
  const standing = new Map<string, SocialPost>();
  for (const { record, truth } of entries) {
    const name = `${record.platform} ${record.postId}`;
    if (record.kind === 'delete') standing.delete(name);
    else if (record.kind === 'edit') {
      const post = standing.get(name);
      if (post !== undefined) standing.set(name, { ...post, text: record.text });
    } else {
      const isAbout = truth.about.some(
        (mention) =>
          mention.mint === mint &&
          mention.by !== 'name' &&
          !(mention.by === 'cashtag' && (mention.isAmbiguous || twins.has(mint))),
      );
      if (isAbout) standing.set(name, toPost(record));
    }
  }
  return [...standing.values()];
}
