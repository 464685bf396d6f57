import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CollectorRun, NOTHING } from '../../../../tests/support/collector-run.ts';
import { FakeX, postIdAt, xPost } from '../../../../tests/support/fake-x.ts';
import { named } from '../../../../tests/support/made-up-units.ts';
import { asAddress } from '../../../model/units.ts';
import { createXSearch } from './x-search.ts';

const START_MS = Date.UTC(2026, 10, 20, 12);
const MINT = asAddress('So11111111111111111111111111111111111111112');
const WANTED = { ...NOTHING, mints: [MINT] };
const PATH = '/2/tweets/search/recent';

let x: FakeX;
let run: CollectorRun;

beforeEach(async () => {
  run = new CollectorRun(WANTED, START_MS);
  x = await FakeX.start(() => run.clock.nowMs());
});
afterEach(async () => {
  await run.stop();
  await x.platform.close();
});

function search(postsPerMonth = 10_000) {
  return createXSearch({
    baseUrl: x.platform.url,
    bearerToken: x.token,
    postsPerMonth,
    pollMs: 60_000,
    requestsPerMinute: 60,
    queryLengthMax: 512,
    queriesMax: 10,
  });
}

/** Stops a run as a kill would, and continues from its cursor. */
async function resume(postsPerMonth?: number): Promise<void> {
  await run.stop();
  run = new CollectorRun(WANTED, run.clock.nowMs() + 1_000, run.cursor);
  run.start(search(postsPerMonth));
}

describe('the search of X', () => {
  it('emits a post with all known fields', async () => {
    const id = postIdAt(START_MS - 5_000);
    const urls = [{ url: 'https://t.co/a', expanded_url: 'https://pump.fun/coin/x' }];
    const note = { text: 'the whole long text' };
    x.posts = [xPost(id, START_MS - 5_000, { entities: { urls }, note_tweet: note })];
    run.start(search());
    await run.until(() => run.events.length > 0);
    expect(run.posts).toEqual([
      {
        platform: 'x',
        postId: id,
        author: {
          id: '7',
          handle: 'seven',
          followers: 1_000,
          following: 50,
          createdAtMs: Date.UTC(2020, 0, 1),
          postCount: 777,
        },
        text: 'the whole long text',
        url: `https://x.com/seven/status/${id}`,
        links: ['https://pump.fun/coin/x'],
        reposts: 3,
        createdAtMs: START_MS - 5_000,
      },
    ]);
    const [request] = x.platform.requests;
    expect(request?.query.get('query')).toBe(`(${MINT} OR url:${MINT}) -is:retweet`);
  });

  it('reads all pages of a busy minute, emits every post once, and then requests only later ones', async () => {
    x.posts = Array.from({ length: 250 }, (_, at) =>
      xPost(postIdAt(START_MS - 50_000 + at), START_MS - 50_000 + at),
    );
    run.start(search());
    await run.until(() => x.platform.requests.length >= 5);
    expect(new Set(run.posts.map(({ postId }) => postId)).size).toBe(250);
    expect(run.events.length).toBe(250);
    expect(Math.max(...run.batches)).toBeLessThanOrEqual(100);
    const tokens = x.platform.requests.map(({ query }) => query.get('next_token'));
    expect(tokens.slice(0, 4)).toEqual([null, 'page100', 'page200', null]);
    const newest = postIdAt(START_MS - 50_000 + 249);
    expect(x.platform.requests[3]?.query.get('since_id')).toBe(newest);
    const [first, , , fourth] = x.platform.requests;
    expect((fourth?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThanOrEqual(60_000);
  });

  it('continues after a kill from its cursor, and reads again what was not saved', async () => {
    run.start(search());
    await run.until(() => run.cursor !== null);
    const one = postIdAt(START_MS + 1_000);
    run.onCursor = () => false;
    x.posts = [xPost(one, START_MS + 1_000)];
    await run.until(() => run.events.length === 1);
    await resume();
    await run.until(() => run.events.length === 1);
    expect(run.posts[0]?.postId).toBe(one);
    await run.until(() => run.cursor?.includes(one) === true);
    await resume();
    const two = postIdAt(START_MS + 2_000);
    x.posts.push(xPost(two, START_MS + 2_000));
    await run.until(() => run.events.length === 1);
    expect(run.posts[0]?.postId).toBe(two);
  });

  it('stops for a revoked token, sends no further request, and never prints the token', async () => {
    x.platform.faults.push({ path: PATH, reply: { kind: 'json', status: 401, json: {} } });
    run.start(search());
    await run.ended();
    expect(run.state).toEqual({
      kind: 'stopped',
      message: 'X refuses the credentials (status 401). Set valid ones and start again.',
    });
    expect(x.platform.requests.length).toBe(1);
    expect(JSON.stringify(run.statuses)).not.toContain(x.token);
  });

  it('waits for the reset time of a refusal', async () => {
    const resetSecond = START_MS / 1_000 + 700;
    const headers = { 'x-rate-limit-reset': String(resetSecond) };
    const reply = {
      kind: 'json',
      status: 429,
      headers,
      json: { title: 'Too Many Requests' },
    } as const;
    x.platform.faults.push({ path: PATH, reply });
    run.start(search());
    await run.until(() => x.platform.requests.length >= 2);
    expect(run.statuses.map(({ state }) => state.kind === 'waiting' && state.reason)).toContain(
      'rate-limited',
    );
    expect(x.platform.requests[1]?.atMs).toBeGreaterThanOrEqual(resetSecond * 1_000);
    expect(x.platform.requests[1]?.atMs).toBeLessThan(resetSecond * 1_000 + 10_000);
  });

  it('emits an edited post again under the identity of its first version', async () => {
    const id = postIdAt(START_MS - 9_000);
    x.posts = [xPost(id, START_MS - 9_000)];
    run.start(search());
    await run.until(() => run.events.length === 1);
    const edit = postIdAt(START_MS - 8_000);
    const fields = { text: 'corrected', edit_history_tweet_ids: [id, edit] };
    x.posts = [xPost(edit, START_MS - 8_000, fields)];
    await run.until(() => run.events.length === 2);
    expect(run.posts.map(({ postId, text }) => [postId, text])).toEqual([
      [id, `post ${id}`],
      [id, 'corrected'],
    ]);
  });

  it('emits a post from several answers once', async () => {
    const id = postIdAt(START_MS - 9_000);
    const json = { data: [xPost(id, START_MS - 9_000)], meta: { newest_id: id, result_count: 1 } };
    for (let n = 0; n < 3; n++) {
      x.platform.faults.push({ path: PATH, reply: { kind: 'json', json } });
    }
    run.start(search());
    await run.until(() => x.platform.requests.length >= 5);
    expect(run.events.length).toBe(1);
    expect(run.counts.repeats).toBe(2);
  });

  it.each([
    ['no JSON', { kind: 'text', text: '<html>sorry</html>' }],
    ['a connection cut within the answer', { kind: 'cut', text: '{"data":[{"id":"1' }],
    ['an answer of five megabytes', { kind: 'text', text: `"${'x'.repeat(5_000_000)}"` }],
    ['a bomb of brackets', { kind: 'text', text: '['.repeat(1_000_000) }],
    ['a server fault', { kind: 'json', status: 503, json: {} }],
  ] as const)('tries again after %s', async (_, reply) => {
    const id = postIdAt(START_MS - 9_000);
    x.posts = [xPost(id, START_MS - 9_000)];
    x.platform.faults.push({ path: PATH, reply });
    run.start(search());
    await run.until(() => run.events.length === 1);
    const states = run.statuses.map(({ state }) => (state.kind === 'waiting' ? state.reason : ''));
    expect(states).toContain('failing');
    expect(run.counts.failures).toBe(1);
  });

  it('skips invalid posts, and drops invalid numbers', async () => {
    const at = START_MS - 9_000;
    const id = postIdAt(at, 1);
    x.users = [
      {
        id: '7',
        username: 'se ven',
        created_at: 'yesterday',
        public_metrics: { followers_count: 1e308, following_count: -4, tweet_count: 1.5 },
      },
    ];
    x.posts = [
      xPost(id, at, { text: `lone \ud800 half`, public_metrics: { retweet_count: '9' } }),
      xPost(postIdAt(at, 2), at, { text: 5 }),
      xPost(postIdAt(at, 3), at, { author_id: null }),
      xPost(postIdAt(at, 4), at, { created_at: '+275760-09-13T00:00:00Z' }),
      xPost(postIdAt(at, 5), at, {
        created_at: '2027-01-01T00:00:00.000Z',
        text: 'a'.repeat(9_000),
      }),
    ];
    run.start(search());
    await run.until(() => run.events.length === 2);
    const byId = new Map(run.posts.map((post) => [post.postId, post]));
    expect(byId.get(id)).toMatchObject({
      text: 'lone \ufffd half',
      reposts: null,
      url: `https://x.com/i/status/${id}`,
      author: {
        handle: null,
        followers: null,
        following: null,
        postCount: null,
        createdAtMs: null,
      },
    });
    const future = byId.get(postIdAt(at, 5));
    expect(future?.text.length).toBe(4_000);
    expect(future?.createdAtMs).toBeLessThanOrEqual(run.clock.nowMs());
    expect(run.counts.malformed).toBe(3);
    expect(run.counts.fromFuture).toBe(1);
  });

  it('does not move its mark to an id in the future', async () => {
    const json = { data: [], meta: { newest_id: postIdAt(START_MS + 9e9), result_count: 0 } };
    x.platform.faults.push({ path: PATH, reply: { kind: 'json', json } });
    run.start(search());
    await run.until(() => x.platform.requests.length >= 2);
    const since = x.platform.requests[1]?.query.get('since_id') ?? '';
    expect(BigInt(since)).toBeLessThan(BigInt(postIdAt(START_MS)));
  });

  it('never reads more posts in a month than allowed, even across a restart', async () => {
    x.posts = Array.from({ length: 300 }, (_, at) =>
      xPost(postIdAt(START_MS - 50_000 + at), START_MS - 50_000 + at),
    );
    run.start(search(130));
    await run.until(() => run.state?.kind === 'waiting' && run.state.reason === 'budget-spent');
    expect(run.events.length).toBe(130);
    const { cursor } = run;
    await run.stop();
    run = new CollectorRun(WANTED, START_MS + 5_000, cursor);
    const before = x.platform.requests.length;
    run.start(search(130));
    await run.until(() => run.state?.kind === 'waiting');
    expect(x.platform.requests.length).toBe(before);
    await run.until(() => x.platform.requests.length > before);
    expect(x.platform.requests[before]?.atMs).toBeGreaterThanOrEqual(Date.UTC(2026, 11, 1));
  });

  it('waits for the next month when X reports that the cap is reached', async () => {
    const json = { title: 'UsageCapExceeded', period: 'Monthly' };
    x.platform.faults.push({ path: PATH, reply: { kind: 'json', status: 429, json } });
    run.start(search());
    await run.until(() => run.statuses.some(({ state }) => state.kind === 'waiting'));
    expect(run.statuses.map(({ state }) => state)).toContainEqual(
      expect.objectContaining({ reason: 'budget-spent' }),
    );
  });

  it('sends no request while nothing is wanted, and searches for a token added later', async () => {
    run.wanted = NOTHING;
    run.start(search());
    await run.until(() => run.state?.kind === 'waiting' && run.state.reason === 'nothing-wanted');
    expect(x.platform.requests.length).toBe(0);
    run.wanted = { mints: [], cashtags: ['bonk', 'b"ad'], links: ['x.com/bonk_inu', 'bonk.com'] };
    await run.until(() => x.platform.requests.length > 0);
    const [request] = x.platform.requests;
    expect(request?.query.get('query')).toBe('(@bonk_inu OR $bonk) -is:retweet');
  });

  it('continues with the other queries when X refuses one', async () => {
    run.wanted = {
      ...NOTHING,
      mints: Array.from({ length: 6 }, (_, at) => named(`${MINT.slice(0, -1)}${at + 3}`)),
    };
    x.platform.faults.push({ path: PATH, reply: { kind: 'json', status: 400, json: {} } });
    run.start(search());
    await run.until(() => x.platform.requests.length >= 2);
    const [one, two] = x.platform.requests.map(({ query }) => query.get('query'));
    expect(one).not.toBe(two);
  });

  it('retries with increasing delays when X refuses all queries', async () => {
    const reply = { kind: 'json', status: 400, json: {} } as const;
    x.platform.faults.push({ path: PATH, reply }, { path: PATH, reply });
    run.start(search());
    await run.until(() => x.platform.requests.length >= 3);
    expect(run.statuses.map(({ state }) => state)).toContainEqual(
      expect.objectContaining({ reason: 'failing', message: 'The platform refuses every query.' }),
    );
  });
});
