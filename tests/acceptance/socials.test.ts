import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dataFolderAt } from '../../src/store/data-folder.ts';
import { openOffchainPlane } from '../../src/store/offchain/offchain-plane.ts';
import { SocialStore } from '../../src/store/offchain/social-store.ts';
import { openKeys } from '../../src/store/open-keys.ts';
import { buildAuthor, buildPost, buildTracked } from '../support/build-post.ts';
import { address } from '../support/build-transaction.ts';
import {
  RunningCommand,
  runCommand,
  temporaryFolder,
  writeLines,
} from '../support/command-line.ts';
import { marketBlocks } from '../support/market-blocks.ts';

const START_MS = 300_000;
const HOUR_MS = 3_600_000;

/** Posts that a client sends to a running service, over HTTP and by command. */
describe('posts of a tracked token', () => {
  const cat = address('cat mint');
  const nowMs = Date.now();
  const dataDir = `${temporaryFolder()}/data`;
  let server: RunningCommand;
  let url = '';
  let key = '';

  beforeAll(async () => {
    openKeys(dataDir).close();
    const database = openOffchainPlane(dataFolderAt(dataDir).offchainFile);
    const tracked = { mint: cat, trackingSinceMs: nowMs - HOUR_MS, symbol: null };
    new SocialStore(database).track(buildTracked(tracked), nowMs - HOUR_MS);
    database.close();
    const blocks = writeLines(temporaryFolder(), 'blocks.jsonl', marketBlocks(20));
    server = new RunningCommand([
      ...['start', '--replay', blocks, '--offchain', 'on', '--port', '0', '--data-dir', dataDir],
    ]);
    [, key = '', url = ''] = await server.shows(
      /curl -H 'X-API-Key: (\S+)' (http:\S+)\/readyz/,
      START_MS,
    );
    await server.shows(/replay finished/, START_MS);
  }, START_MS);

  afterAll(async () => {
    server.process.kill('SIGKILL');
    await server.finished;
  });

  const line = (at: number) =>
    JSON.stringify(
      buildPost({
        ...{ platform: 'x', postId: `${at}`, createdAtMs: nowMs - 60_000 },
        author: buildAuthor({
          id: `${at}`,
          followers: 500,
          createdAtMs: nowMs - 400 * 24 * HOUR_MS,
        }),
        text: `this number ${at * 7_919} is bullish and good: ${cat}`,
      }),
    );

  async function json(path: string) {
    const response = await fetch(url + path, { headers: { 'x-api-key': key } });
    return (await response.json()) as Record<string, unknown>;
  }

  /** The summary once this many posts are counted. */
  async function summaryOf(posts: number) {
    for (let tries = 0; tries < 200; tries++) {
      const summary = await json(`/v1/socials/summary?token_address=${cat}`);
      if (summary.total_number_of_posts === posts) return summary;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error(`${posts} posts were never counted`);
  }

  test('are counted within seconds, once each, and returned by every route', async () => {
    const response = await fetch(`${url}/v1/socials/posts/import`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/x-ndjson' },
      body: `${line(1)}\n${line(2)}\nnot JSON\n${line(1)}\n`,
    });
    expect([response.status, await response.json()]).toEqual([
      202,
      { accepted: 3, refused: 1, faults: [{ line: 3, message: 'not a JSON object' }] },
    ]);
    const summary = await summaryOf(2);
    expect(summary).toMatchObject({ token_address: cat, total_social_reach: 1_000 });
    expect(Number(summary.total_social_sentiment)).toBeGreaterThan(0);
    const file = writeLines(
      temporaryFolder(),
      'posts.jsonl',
      [line(2), line(3)].map((text) => JSON.parse(text)),
    );
    const { exitCode, stdout } = await runCommand(['posts', 'import', file, '--data-dir', dataDir]);
    expect([exitCode, stdout]).toEqual([0, '2 accepted, 0 refused\n']);
    expect(await summaryOf(3)).toMatchObject({ total_social_reach: 1_500 });
    const range = `token_address=${cat}&from_date=${new Date(nowMs - 300_000).toISOString()}`;
    const { data_points } = await json(`/v1/socials/posts-over-time?${range}&explain=true`);
    const spoken = (data_points as { count: number }[]).filter(({ count }) => count > 0);
    expect(spoken).toMatchObject([{ count: 3, sources: ['x'], model_version: 'hashed-2' }]);
    const page = `/v1/socials/posts?token_address=${cat}&page_number=1&page_size=2`;
    expect(await json(`${page}&ordering=created_at:desc`)).toMatchObject({ total_posts: 3 });
    const pool = await json(`/v1/indicators/current?pair_address=${address('cat-sol')}`);
    expect(pool.social_blast_radius_score).toBe(1_500);
    expect(Number(pool.social_sentiment_score)).toBeGreaterThan(0);
    expect(await json(`/v1/socials/summary?token_address=${address('dog mint')}`)).toMatchObject({
      code: 404,
    });
  });

  test('are counted in the metrics by outcome', async () => {
    for (let tries = 0; tries < 100; tries++) {
      const response = await fetch(`${url}/metrics`, { headers: { 'x-api-key': key } });
      const text = await response.text();
      if (/social_posts_total\{outcome="taken"\} 3/.test(text)) {
        expect(text).toMatch(/social_posts_total\{outcome="repeated"\} 2/);
        expect(text).toMatch(/social_tracked_tokens 1/);
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error('the metrics never showed the posts');
  });
});
