import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { address } from '../../tests/support/build-transaction.ts';
import { pumpLife } from '../../tests/support/pump-life.ts';
import {
  dramaticLife,
  MINUTE_MS,
  SLOT_MS,
  SocialScene,
  START_MS,
  steadyLife,
} from '../../tests/support/social-scene.ts';
import type { ChainStep } from '../market/world.ts';
import { Random } from '../random/random.ts';
import { SocialFeed, toFeedMoment } from './social-feed.ts';
import { type FeedEntry, recordTimeMs, type SocialPost } from './social-post.ts';
import { SocialTokens } from './social-tokens.ts';

const LIVES = [dramaticLife('PEPE'), dramaticLife('WIFX', 2), steadyLife('PEPE', 0.5)];
const NO_RAIDS = { raidChance: 0 };

const drama = new SocialScene('drama', LIVES, { raidChance: 1 }).run(40);

function postsOf(entries: readonly FeedEntry[]): { post: SocialPost; truth: FeedEntry['truth'] }[] {
  return entries.flatMap(({ record, truth }) =>
    record.kind === 'post' ? [{ post: record, truth }] : [],
  );
}

function minuteOf(timeMs: number): number {
  return (timeMs - START_MS) / MINUTE_MS;
}

/** A hash of 64 bits that differs in few bits for texts with mostly the same words. */
function simHash(text: string): bigint {
  const sums = new Array<number>(64).fill(0);
  const words = text.toLowerCase().match(/[\p{L}\p{N}$@]+/gu) ?? [];
  for (const word of words) {
    const hash = createHash('sha256').update(word).digest().readBigUInt64LE();
    for (let bit = 0; bit < 64; bit++) {
      sums[bit] = (sums[bit] ?? 0) + ((hash >> BigInt(bit)) & 1n ? 1 : -1);
    }
  }
  return sums.reduce((whole, sum, bit) => (sum > 0 ? whole | (1n << BigInt(bit)) : whole), 0n);
}

function distance(one: bigint, other: bigint): number {
  return (one ^ other).toString(2).replaceAll('0', '').length;
}

describe('a social feed', () => {
  test('gives the same bytes for the same seed and others for another', () => {
    const again = new SocialScene('drama', LIVES, { raidChance: 1 }).run(40);
    expect(JSON.stringify(again)).toBe(JSON.stringify(drama));
    const other = new SocialScene('other', LIVES, { raidChance: 1 }).run(1);
    expect(JSON.stringify(other)).not.toBe(JSON.stringify(drama.slice(0, other.length)));
  });

  test('returns the records of a slot with times within the slot, all in order', () => {
    const scene = new SocialScene('order', LIVES);
    for (let slot = 0; slot < 3_000; slot++) {
      const times = scene.step().map(({ record }) => recordTimeMs(record));
      expect(times).toEqual(times.toSorted((one, other) => one - other));
      const startMs = START_MS + slot * SLOT_MS;
      expect(times.every((time) => time >= startMs && time < startMs + SLOT_MS)).toBe(true);
    }
  });

  test('gives each post a unique id, and edits or deletes only existing posts', () => {
    const standing = new Map<string, FeedEntry['truth']>();
    let changes = 0;
    for (const { record, truth } of drama) {
      const name = `${record.platform} ${record.postId}`;
      if (record.kind === 'post') {
        expect(standing.has(name)).toBe(false);
        standing.set(name, truth);
        continue;
      }
      changes++;
      const before = standing.get(name);
      expect(before).toBeDefined();
      expect(truth.postedAtMs).toBe(before?.postedAtMs);
      if (record.kind === 'edit') expect(truth.before).toEqual(before?.about);
      standing.delete(name);
    }
    expect(changes).toBeGreaterThan(50);
  });

  test('posts more the more is traded, like the recent volume to the power of 3/4', () => {
    // `sol` SOL in each of 150 slots a minute, with a half-life of a minute: 150 / ln 2 times as
    // much.
    const expected = (sol: number) => 0.35 * ((sol * 150) / Math.LN2) ** 0.75;
    for (const sol of [0.5, 4]) {
      const scene = new SocialScene('volume', [steadyLife('VOL', sol)], NO_RAIDS);
      const posts = postsOf(scene.run(60)).filter(
        ({ truth, post }) => truth.about.length > 0 && minuteOf(post.postedAtMs) >= 20,
      );
      expect(posts.length / 40 / expected(sol)).toBeGreaterThan(0.9);
      expect(posts.length / 40 / expected(sol)).toBeLessThan(1.1);
    }
  });

  test('posts calls when volume jumps, by accounts with many followers', () => {
    const lives = Array.from({ length: 8 }, (_, index) => ({
      ...steadyLife(`JUMP${index}`, 0),
      solPerSlot: (minute: number) => (minute >= 20 && minute < 22 ? 8 : 0.2),
    }));
    const calls = postsOf(new SocialScene('jump', lives, NO_RAIDS).run(24)).filter(
      ({ truth }) => truth.reason === 'call',
    );
    const during = (from: number, to: number) =>
      calls.filter(({ post: { postedAtMs } }) => {
        const minute = minuteOf(postedAtMs);
        return minute >= from && minute < to;
      });
    expect(during(14, 20)).toEqual([]);
    // Half of eight shocks cause one to three calls each.
    expect(during(20, 24).length).toBeGreaterThanOrEqual(4);
    const followers = calls.map(({ post }) => post.author.followers);
    expect(Math.min(...followers)).toBeGreaterThan(10_000);
  });

  test('posts a call within ten seconds, and none about unknown tokens', () => {
    const scene = new SocialScene('heard', [steadyLife('HEAR', 0.01)], NO_RAIDS);
    scene.run(10);
    const [token] = scene.tokens.all();
    scene.feed.hearCall(token?.mint ?? address('none'));
    scene.feed.hearCall(address('unknown'));
    const heardMs = START_MS + 10 * MINUTE_MS;
    const calls = postsOf(scene.run(2)).filter(({ truth }) => truth.reason === 'call');
    expect(calls.map(({ truth }) => truth.about.map(({ mint }) => mint))).toEqual([[token?.mint]]);
    expect(calls.every(({ post }) => post.postedAtMs < heardMs + 10_000)).toBe(true);
  });

  test('panics when the price breaks and not before', () => {
    const opinions = postsOf(
      new SocialScene('panic', [dramaticLife('DROP')], NO_RAIDS).run(24),
    ).filter(({ truth: { reason } }) => reason === 'chatter' || reason === 'panic');
    const mean = (from: number, to: number) => {
      const meant = opinions
        .filter(({ post }) => {
          const minute = minuteOf(post.postedAtMs);
          return minute >= from && minute < to;
        })
        .map(({ truth }) => truth.about[0]?.meantSentiment ?? 0);
      expect(meant.length).toBeGreaterThan(50);
      return meant.reduce((sum, each) => sum + each, 0) / meant.length;
    };
    expect(mean(10, 20)).toBeGreaterThan(0.1);
    expect(mean(20, 23)).toBeLessThan(-0.4);
    const panic = opinions.filter(({ truth }) => truth.reason === 'panic');
    expect(panic.every(({ post }) => minuteOf(post.postedAtMs) >= 20)).toBe(true);
  });

  test('posts the configured number of copies in a raid, each by a fresh account', () => {
    const lives = [dramaticLife('RAID')];
    const settings = { raidChance: 1, raidPosts: 500, raidsAtOnceMax: 1, hostileShare: 0 };
    const raid = postsOf(new SocialScene('raid', lives, settings).run(12)).filter(
      ({ truth }) => truth.isRaid,
    );
    expect(raid.length).toBe(500);
    expect(new Set(raid.map(({ post }) => post.author.id)).size).toBe(500);
    for (const { post, truth } of raid) {
      expect(truth.isBot).toBe(true);
      const ageMs = post.postedAtMs - post.author.createdAtMs;
      expect(ageMs).toBeLessThanOrEqual(3 * 24 * 60 * MINUTE_MS);
    }
  });

  test('makes raid texts near-duplicates, but not those of people', () => {
    const settings = { raidChance: 1, raidPosts: 100, raidsAtOnceMax: 1, hostileShare: 0 };
    const posts = postsOf(new SocialScene('copies', [dramaticLife('COPY')], settings).run(20));
    const raid = posts.filter(({ truth }) => truth.isRaid).map(({ post }) => simHash(post.text));
    const [first = 0n] = raid;
    expect(raid.length).toBeGreaterThanOrEqual(100);
    const copies = raid.slice(0, 100).filter((hash) => distance(hash, first) <= 3);
    expect(copies.length).toBe(100);
    const people = posts
      .filter(({ truth }) => !truth.isBot && truth.about.length > 0)
      .map(({ post }) => simHash(post.text));
    expect(people.length).toBeGreaterThan(300);
    const repeated = people.filter((hash, index) =>
      people.slice(0, index).some((earlier) => distance(hash, earlier) <= 3),
    );
    expect(repeated.length / people.length).toBeLessThan(0.05);
  });

  test('never posts more than the limit per minute', () => {
    const scene = new SocialScene('bound', LIVES, { raidChance: 1, postsPerMinuteMax: 60 });
    const minutes = new Map<number, number>();
    for (const { post } of postsOf(scene.run(15))) {
      const minute = Math.floor(post.postedAtMs / MINUTE_MS);
      minutes.set(minute, (minutes.get(minute) ?? 0) + 1);
    }
    expect(Math.max(...minutes.values())).toBe(60);
  });

  test('is hostile in few posts, each of which is marked as such', () => {
    const posts = postsOf(drama);
    const hostile = posts.filter(({ truth }) => truth.isHostile);
    expect(hostile.length / posts.length).toBeGreaterThan(0.002);
    expect(hostile.length / posts.length).toBeLessThan(0.01);
    const longest = Math.max(
      ...posts.filter(({ truth }) => !truth.isHostile).map(({ post }) => post.text.length),
    );
    expect(longest).toBeLessThan(400);
  });

  test('marks a cashtag as ambiguous once another token with the symbol is launched', () => {
    const twins = [
      steadyLife('TWIN', 2),
      { ...steadyLife('twin', 2), launchMinute: 10, migrateMinute: 11 },
    ];
    const cashtags = postsOf(new SocialScene('twins', twins, NO_RAIDS).run(20)).flatMap(
      ({ post, truth }) =>
        truth.about
          .filter(({ by }) => by === 'cashtag')
          .map(({ isAmbiguous }) => ({ isAmbiguous, minute: minuteOf(post.postedAtMs) })),
    );
    const early = cashtags.filter(({ minute }) => minute < 10);
    const late = cashtags.filter(({ minute }) => minute > 10.1);
    expect(early.length).toBeGreaterThan(20);
    expect(late.length).toBeGreaterThan(20);
    expect(early.every(({ isAmbiguous }) => !isAmbiguous)).toBe(true);
    expect(late.every(({ isAmbiguous }) => isAmbiguous)).toBe(true);
  });

  test('posts off-topic when nothing is traded, and keeps no finished state', () => {
    const life = { ...dramaticLife('GONE'), solPerSlot: (minute: number) => (minute < 8 ? 2 : 0) };
    const scene = new SocialScene('quiet', [life], { deleteShare: 0.5 });
    scene.run(50);
    const after = postsOf(scene.run(20));
    expect(after.length).toBeGreaterThan(40);
    expect(after.every(({ truth }) => truth.reason === 'offTopic')).toBe(true);
    // Only deletions of background posts within ten minutes are still scheduled.
    expect(scene.feed.pending).toBeLessThan(60);
  });

  test('announces a migration reported by a venue, by address', () => {
    const { stage, launch } = pumpLife('create_v2', { name: 'Cat', symbol: 'CAT', uri: '' });
    const facts = stage.transactions.flatMap((transaction) => transaction.facts);
    const random = new Random('venue');
    const tokens = new SocialTokens(random);
    tokens.add(launch.mint, { name: 'Cat', symbol: 'CAT' });
    const feed = new SocialFeed({ random, startMs: START_MS, tokens, settings: NO_RAIDS });
    feed.observe({ nowMs: START_MS + SLOT_MS, facts });
    const entries = feed.observe({ nowMs: START_MS + MINUTE_MS, facts: [] });
    const official = postsOf(entries).filter(({ truth }) => truth.reason === 'official');
    expect(official.map(({ post }) => post.author.handle)).toEqual(['cat_sol']);
    expect(official.every(({ post }) => post.text.includes(launch.mint))).toBe(true);
  });

  test('ignores blocks of dropped branches', () => {
    const fact = { kind: 'curveComplete', mint: 'mint', pool: 'pool' };
    const block = { transactions: [{ facts: [fact] }, { facts: [] }, { facts: [fact] }] };
    const step = (isCanonical: boolean) => ({ block, isCanonical }) as unknown as ChainStep;
    expect(toFeedMoment(7, step(true))).toEqual({ nowMs: 7, facts: [fact, fact] });
    expect(toFeedMoment(7, step(false))).toEqual({ nowMs: 7, facts: [] });
    expect(toFeedMoment(7, null)).toEqual({ nowMs: 7, facts: [] });
  });
});
