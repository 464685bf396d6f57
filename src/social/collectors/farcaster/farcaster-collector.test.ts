import { beforeEach, describe, expect, it } from 'vitest';
import { CollectorRun, MINT, NOTHING, START_MS } from '../../../../tests/support/collector-run.ts';
import { cast, castHash, FakeFarcaster } from '../../../../tests/support/fake-farcaster.ts';
import { createFarcasterCollector } from './farcaster-collector.ts';

const WANTED = { ...NOTHING, mints: [MINT], cashtags: ['bonk', 'no"quote'] };

let farcaster: FakeFarcaster;
let run: CollectorRun;

beforeEach(async () => {
  ({ run, fake: farcaster } = await CollectorRun.with(FakeFarcaster, WANTED));
});

function collector() {
  return createFarcasterCollector({
    baseUrl: farcaster.platform.url,
    apiKey: farcaster.key,
    pollMs: 60_000,
    requestsPerMinute: 600,
    queriesMax: 5,
  });
}

describe('the search of Farcaster', () => {
  it('emits a cast with all known fields, and quotes its search terms', async () => {
    farcaster.casts = [cast(0xabcdef, START_MS - 5_000)];
    run.start(collector());
    await run.until(() => run.events.length === 1);
    expect(run.posts[0]).toEqual({
      platform: 'farcaster',
      postId: castHash(0xabcdef),
      author: {
        id: '3',
        handle: 'dana',
        followers: 900,
        following: 45,
        createdAtMs: Date.UTC(2023, 10, 7, 5, 31, 56),
        postCount: null,
      },
      text: `cast ${0xabcdef}`,
      url: 'https://farcaster.xyz/dana/0x00000000',
      links: ['https://a.xyz/page'],
      reposts: 2,
      createdAtMs: START_MS - 5_000,
    });
    const query = farcaster.platform.requests[0]?.query;
    expect(query?.get('q')).toMatch(
      new RegExp(`^\\("${MINT}" \\| "\\$bonk"\\) after:2026-11-20T11:5\\d:\\d\\d$`),
    );
    expect(query?.get('sort_type')).toBe('desc_chron');
  });

  it('reads all pages once, the oldest of a page first, and continues after a kill', async () => {
    farcaster.casts = Array.from({ length: 230 }, (_, at) => cast(at, START_MS - 30_000 + at));
    run.start(collector());
    await run.until(() => farcaster.platform.requests.length >= 4);
    expect(run.events.length).toBe(230);
    expect(new Set(run.posts.map(({ postId }) => postId)).size).toBe(230);
    expect(run.posts[0]?.postId).toBe(castHash(130));
    await run.until(() => run.cursor !== null);
    await run.stop();
    const late = cast(500, START_MS + 1_000);
    farcaster.casts.push(late);
    run = new CollectorRun(WANTED, START_MS + 600_000, run.cursor);
    run.start(collector());
    const asked = farcaster.platform.requests.length;
    await run.until(() => run.posts.some(({ postId }) => postId === castHash(500)));
    // A minute before the newest of the first run, which was made at 11:59:30.
    const query = farcaster.platform.requests[asked]?.query.get('q');
    expect(query).toContain('after:2026-11-20T11:58:30');
  });

  it('waits as long as a refusal requests, and stops when the key is revoked', async () => {
    const headers = { 'retry-after': '90' };
    const path = farcaster.path;
    farcaster.platform.faults.push(
      { path, reply: { kind: 'json', status: 429, headers, json: {} } },
      { path, reply: { kind: 'json', status: 401, json: {} } },
    );
    run.start(collector());
    await run.ended();
    const [first, second] = farcaster.platform.requests;
    expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThanOrEqual(90_000);
    expect(run.state?.kind).toBe('stopped');
    expect(JSON.stringify(run.statuses)).not.toContain(farcaster.key);
  });

  it('skips invalid casts, and survives invalid answers', async () => {
    farcaster.casts = [
      cast(1, START_MS - 1_000, { hash: '../../etc' }),
      cast(2, START_MS - 2_000, { author: { fid: -1 } }),
      cast(3, START_MS - 3_000, { text: null }),
      cast(4, START_MS - 4_000, {
        embeds: 'none',
        reactions: 7,
        author: { fid: 9, username: 'a b' },
      }),
    ];
    const { path } = farcaster;
    farcaster.platform.faults.push(
      { path, reply: { kind: 'cut', text: '{"result":{"casts":[' } },
      { path, reply: { kind: 'text', text: 'null' } },
      { path, reply: { kind: 'json', json: { result: { casts: 'many', next: 5 } } } },
    );
    run.start(collector());
    await run.until(() => run.events.length === 1 && run.counts.malformed >= 3);
    expect(run.posts[0]).toMatchObject({
      postId: castHash(4),
      url: `https://farcaster.xyz/~/conversations/${castHash(4)}`,
      links: [],
      reposts: null,
      author: { id: '9', handle: null },
    });
  });
});
