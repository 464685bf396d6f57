import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createSocialFile } from '../src/bridge/social-reader.ts';
import { SocialService } from '../src/gathering/social-service.ts';
import type { PostEvent } from '../src/model/social-post.ts';
import type { Address } from '../src/model/units.ts';
import { TokenIndex } from '../src/social/match-post.ts';
import { createPostScorer } from '../src/social/sentiment/score-post.ts';
import { readShippedModel } from '../src/social/sentiment/weights-file.ts';
import { openOffchainPlane, openOffchainReader } from '../src/store/offchain/offchain-plane.ts';
import { PostsInbox } from '../src/store/offchain/posts-inbox.ts';
import { SocialReader } from '../src/store/offchain/social-reads.ts';
import { SocialStore } from '../src/store/offchain/social-store.ts';
import { buildAuthor, buildPost, buildTracked } from '../tests/support/build-post.ts';
import { address } from '../tests/support/build-transaction.ts';
import { MINT, READ_KEY } from '../tests/support/fake-api-deps.ts';
import { fakeApiServer } from '../tests/support/fake-api-server.ts';
import { fixed, integer, printTable } from './table.ts';

const MINUTE_MS = 60_000;
const WEEK_MINUTES = 10_080;
const START_MS = Date.UTC(2026, 0, 5);
const NOW_MS = START_MS + WEEK_MINUTES * MINUTE_MS;
const TRACKED = 100_000;
const POSTS = 20_000;
const READS = 200;
const WARMUPS = 20;

/** Counting posts, and reading the counts: a token with a post every minute. */
export async function benchSocial(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'mintscope-bench-'));
  const path = join(folder, 'offchain.sqlite');
  const database = openOffchainPlane(path);
  await benchCounting(database);
  fillWeek(database);
  const beside = openOffchainReader(path);
  await benchAnswers(beside, database);
  beside.close();
  database.close();
  rmSync(folder, { recursive: true, force: true });
}

async function benchCounting(database: DatabaseSync): Promise<void> {
  const { weights, card } = readShippedModel();
  const scorer = createPostScorer(weights);
  const score = (text: string) => scorer(text).score;
  const mints = Array.from({ length: TRACKED }, (_, at) => address(`tracked ${at}`));
  const index = new TokenIndex();
  const tokens = mints.map((mint, at) =>
    buildTracked({ mint, symbol: `T${at}`, officialLinks: [`https://x.com/t${at}_sol`] }),
  );
  for (const token of tokens) index.put(token);
  const posts = Array.from({ length: POSTS }, (_, at) => newsAt(at, mints));
  const matchMs = timed(() => {
    for (const { post } of posts) index.match(post);
  });
  let nowMs = START_MS;
  const service = new SocialService({
    database,
    nowMs: () => nowMs,
    score,
    modelVersion: card.version,
  });
  service.track(tokens.slice(0, 1_000));
  const before = performance.now();
  for (let at = 0; at < posts.length; at += 500) {
    nowMs = START_MS + (at / POSTS) * 600_000 + 1_000;
    await service.emit(posts.slice(at, at + 500));
    while (service.flush());
  }
  const countMs = performance.now() - before;
  printTable('Counting posts', [
    ['step', 'posts/s', 'µs each'],
    [`matching among ${integer(TRACKED)} tokens`, ...rates(matchMs)],
    ['matching, scoring, weighing, summing, storing', ...rates(countMs)],
  ]);
}

function rates(ms: number): string[] {
  return [integer((POSTS / ms) * 1_000), fixed((ms / POSTS) * 1_000, 1)];
}

/** Three quarters of the posts are about a hundred tokens with many posts. */
function newsAt(at: number, mints: readonly Address[]): PostEvent & { readonly kind: 'post' } {
  const mint = mints[at % 4 === 0 ? (at * 7) % 1_000 : at % 100];
  const post = buildPost({
    platform: 'x',
    postId: `${at}`,
    createdAtMs: START_MS + (at / POSTS) * 600_000,
    author: buildAuthor({ id: `${at % 5_000}`, followers: at % 9_000 }),
    text:
      `number ${at * 7_919} this looks strong, team is shipping and volume ${at % 50}x, ` +
      `not advice, see https://dexscreener.com/solana/${mint} @somebody_${at % 77}`,
  });
  return { kind: 'post', post };
}

function fillWeek(database: DatabaseSync): void {
  const store = new SocialStore(database);
  store.inTransaction(() => {
    store.track(buildTracked({ mint: MINT, symbol: null, trackingSinceMs: START_MS }), START_MS);
    for (let at = 0; at < WEEK_MINUTES; at++) {
      store.writeMinute(MINT, {
        minuteMs: START_MS + at * MINUTE_MS,
        posts: 1 + (at % 9),
        distinctPosts: 1,
        weightMicro: 4_000_000 + at,
        weightedMicro: 1_000_000 - at,
        sentimentMicro: at,
        reach: at * 11,
        qualityReach: at * 7,
        platforms: ['x'],
        modelVersions: ['hashed-2'],
      });
      store.add({
        ...{
          platform: 'x',
          postId: `week ${at}`,
          authorId: `${at % 99}`,
          authorHandle: 'somebody',
        },
        ...{
          followers: at % 999,
          reportedFollowers: at % 999,
          reposts: 0,
          copyNumber: 1,
          isDeleted: false,
        },
        createdAtMs: START_MS + at * MINUTE_MS,
        minuteMs: START_MS + at * MINUTE_MS,
        sentimentMicro: 1,
        qualityMicro: 1,
        weightMicro: 1,
        modelVersion: 'hashed-2',
        text: `words about it ${at}`,
        url: null,
        accountNumber: 1,
        boundedFollowers: at % 999,
        signature: null,
        mints: [MINT],
      });
    }
  });
}

async function benchAnswers(beside: DatabaseSync, writer: DatabaseSync): Promise<void> {
  const social = createSocialFile(new SocialReader(beside), () => new PostsInbox(writer));
  const server = fakeApiServer({ social, nowMs: () => NOW_MS });
  const week = `token_address=${MINT}&from_date=${new Date(START_MS).toISOString()}`;
  const page = `token_address=${MINT}&page_size=100`;
  const urls = [
    ['sentiment, 10,080 points', `sentiment-over-time?${week}`],
    ['reach, 10,080 points', `reach-over-time?${week}`],
    ['posts, 10,080 points, explained', `posts-over-time?${week}&explain=true`],
    ['summary', `summary?token_address=${MINT}`],
    ['posts, first page of 101', `posts?${page}&page_number=1&ordering=created_at:desc`],
    ['posts, last page by followers', `posts?${page}&page_number=101&ordering=followers_count:asc`],
  ] as const;
  const rows: string[][] = [];
  for (const [name, url] of urls) {
    const samples: number[] = [];
    let bytes = 0;
    let before = process.cpuUsage();
    for (let read = -WARMUPS; read < READS; read++) {
      if (read === 0) before = process.cpuUsage();
      // As with requests of a socket: the garbage of one is collected before the next.
      await nextTurn();
      const start = performance.now();
      const response = await server.inject({
        url: `/v1/socials/${url}`,
        headers: { 'x-api-key': READ_KEY },
      });
      if (read >= 0) samples.push(performance.now() - start);
      if (response.statusCode !== 200) throw new Error(response.body);
      bytes = response.rawPayload.length;
    }
    const { user, system } = process.cpuUsage(before);
    const processorMs = (user + system) / 1_000 / READS;
    samples.sort((one, other) => one - other);
    const at = (share: number) => fixed(samples[Math.floor(READS * share)] ?? Number.NaN, 2);
    rows.push([name, integer(bytes), at(0.5), at(0.99), fixed(processorMs, 2)]);
  }
  printTable('Answers about posts', [
    ['answer', 'bytes', 'p50 ms', 'p99 ms', 'mean processor ms'],
    ...rows,
  ]);
}

function timed(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}
