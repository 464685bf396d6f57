import { describe, expect, it } from 'vitest';
import {
  CollectorRun,
  eachScene,
  MINT,
  NOTHING,
  START_MS,
  WANTED,
} from '../../../../tests/support/collector-run.ts';
import { FakeX, postIdAt, xPost } from '../../../../tests/support/fake-x.ts';
import { named } from '../../../../tests/support/made-up-units.ts';
import { createXSearch } from './x-search.ts';

const PATH = '/2/tweets/search/recent';

const scene = eachScene((nowMs) => FakeX.start(nowMs), WANTED);

function search(postsPerMonth = 10_000) {
  return createXSearch({
    baseUrl: scene.fake.platform.url,
    bearerToken: scene.fake.token,
    postsPerMonth,
    pollMs: 60_000,
    requestsPerMinute: 60,
    queryLengthMax: 512,
    queriesMax: 10,
  });
}

/** Stops a run as a kill would, and continues from its cursor. */
async function resume(postsPerMonth?: number): Promise<void> {
  await scene.run.stop();
  scene.run = new CollectorRun(WANTED, scene.run.clock.nowMs() + 1_000, scene.run.cursor);
  scene.run.start(search(postsPerMonth));
}

describe('the search of X', () => {
  it('emits a post with all known fields', async () => {
    const id = postIdAt(START_MS - 5_000);
    const urls = [{ url: 'https://t.co/a', expanded_url: 'https://pump.fun/coin/x' }];
    const note = { text: 'the whole long text' };
    scene.fake.posts = [xPost(id, START_MS - 5_000, { entities: { urls }, note_tweet: note })];
    scene.run.start(search());
    await scene.run.until(() => scene.run.events.length > 0);
    expect(scene.run.posts).toEqual([
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
    const [request] = scene.fake.platform.requests;
    expect(request?.query.get('query')).toBe(`(${MINT} OR url:${MINT}) -is:retweet`);
  });

  it('reads all pages of a busy minute, emits every post once, and then requests only later ones', async () => {
    scene.fake.posts = Array.from({ length: 250 }, (_, at) =>
      xPost(postIdAt(START_MS - 50_000 + at), START_MS - 50_000 + at),
    );
    scene.run.start(search());
    await scene.run.until(() => scene.fake.platform.requests.length >= 5);
    expect(new Set(scene.run.posts.map(({ postId }) => postId)).size).toBe(250);
    expect(scene.run.events.length).toBe(250);
    expect(Math.max(...scene.run.batches)).toBeLessThanOrEqual(100);
    const tokens = scene.fake.platform.requests.map(({ query }) => query.get('next_token'));
    expect(tokens.slice(0, 4)).toEqual([null, 'page100', 'page200', null]);
    const newest = postIdAt(START_MS - 50_000 + 249);
    expect(scene.fake.platform.requests[3]?.query.get('since_id')).toBe(newest);
    const [first, , , fourth] = scene.fake.platform.requests;
    expect((fourth?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThanOrEqual(60_000);
  });

  it('continues after a kill from its cursor, and reads again what was not saved', async () => {
    scene.run.start(search());
    await scene.run.until(() => scene.run.cursor !== null);
    const one = postIdAt(START_MS + 1_000);
    scene.run.onCursor = () => false;
    scene.fake.posts = [xPost(one, START_MS + 1_000)];
    await scene.run.until(() => scene.run.events.length === 1);
    await resume();
    await scene.run.until(() => scene.run.events.length === 1);
    expect(scene.run.posts[0]?.postId).toBe(one);
    await scene.run.until(() => scene.run.cursor?.includes(one) === true);
    await resume();
    const two = postIdAt(START_MS + 2_000);
    scene.fake.posts.push(xPost(two, START_MS + 2_000));
    await scene.run.until(() => scene.run.events.length === 1);
    expect(scene.run.posts[0]?.postId).toBe(two);
  });

  it('stops for a revoked token, sends no further request, and never prints the token', async () => {
    scene.fake.platform.faults.push({ path: PATH, reply: { kind: 'json', status: 401, json: {} } });
    scene.run.start(search());
    await scene.run.ended();
    expect(scene.run.state).toEqual({
      kind: 'stopped',
      message: 'X refuses the credentials (status 401). Set valid ones and start again.',
    });
    expect(scene.fake.platform.requests.length).toBe(1);
    expect(JSON.stringify(scene.run.statuses)).not.toContain(scene.fake.token);
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
    scene.fake.platform.faults.push({ path: PATH, reply });
    scene.run.start(search());
    await scene.run.until(() => scene.fake.platform.requests.length >= 2);
    expect(
      scene.run.statuses.map(({ state }) => state.kind === 'waiting' && state.reason),
    ).toContain('rate-limited');
    expect(scene.fake.platform.requests[1]?.atMs).toBeGreaterThanOrEqual(resetSecond * 1_000);
    expect(scene.fake.platform.requests[1]?.atMs).toBeLessThan(resetSecond * 1_000 + 10_000);
  });

  it('emits an edited post again under the identity of its first version', async () => {
    const id = postIdAt(START_MS - 9_000);
    scene.fake.posts = [xPost(id, START_MS - 9_000)];
    scene.run.start(search());
    await scene.run.until(() => scene.run.events.length === 1);
    const edit = postIdAt(START_MS - 8_000);
    const fields = { text: 'corrected', edit_history_tweet_ids: [id, edit] };
    scene.fake.posts = [xPost(edit, START_MS - 8_000, fields)];
    await scene.run.until(() => scene.run.events.length === 2);
    expect(scene.run.posts.map(({ postId, text }) => [postId, text])).toEqual([
      [id, `post ${id}`],
      [id, 'corrected'],
    ]);
  });

  it('emits a post from several answers once', async () => {
    const id = postIdAt(START_MS - 9_000);
    const json = { data: [xPost(id, START_MS - 9_000)], meta: { newest_id: id, result_count: 1 } };
    for (let n = 0; n < 3; n++) {
      scene.fake.platform.faults.push({ path: PATH, reply: { kind: 'json', json } });
    }
    scene.run.start(search());
    await scene.run.until(() => scene.fake.platform.requests.length >= 5);
    expect(scene.run.events.length).toBe(1);
    expect(scene.run.counts.repeats).toBe(2);
  });

  it.each([
    ['no JSON', { kind: 'text', text: '<html>sorry</html>' }],
    ['a connection cut within the answer', { kind: 'cut', text: '{"data":[{"id":"1' }],
    ['an answer of five megabytes', { kind: 'text', text: `"${'x'.repeat(5_000_000)}"` }],
    ['a bomb of brackets', { kind: 'text', text: '['.repeat(1_000_000) }],
    ['a server fault', { kind: 'json', status: 503, json: {} }],
  ] as const)('tries again after %s', async (_, reply) => {
    const id = postIdAt(START_MS - 9_000);
    scene.fake.posts = [xPost(id, START_MS - 9_000)];
    scene.fake.platform.faults.push({ path: PATH, reply });
    scene.run.start(search());
    await scene.run.until(() => scene.run.events.length === 1);
    const states = scene.run.statuses.map(({ state }) =>
      state.kind === 'waiting' ? state.reason : '',
    );
    expect(states).toContain('failing');
    expect(scene.run.counts.failures).toBe(1);
  });

  it('skips invalid posts, and drops invalid numbers', async () => {
    const at = START_MS - 9_000;
    const id = postIdAt(at, 1);
    scene.fake.users = [
      {
        id: '7',
        username: 'se ven',
        created_at: 'yesterday',
        public_metrics: { followers_count: 1e308, following_count: -4, tweet_count: 1.5 },
      },
    ];
    scene.fake.posts = [
      xPost(id, at, { text: `lone \ud800 half`, public_metrics: { retweet_count: '9' } }),
      xPost(postIdAt(at, 2), at, { text: 5 }),
      xPost(postIdAt(at, 3), at, { author_id: null }),
      xPost(postIdAt(at, 4), at, { created_at: '+275760-09-13T00:00:00Z' }),
      xPost(postIdAt(at, 5), at, {
        created_at: '2027-01-01T00:00:00.000Z',
        text: 'a'.repeat(9_000),
      }),
    ];
    scene.run.start(search());
    await scene.run.until(() => scene.run.events.length === 2);
    const byId = new Map(scene.run.posts.map((post) => [post.postId, post]));
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
    expect(future?.createdAtMs).toBeLessThanOrEqual(scene.run.clock.nowMs());
    expect(scene.run.counts.malformed).toBe(3);
    expect(scene.run.counts.fromFuture).toBe(1);
  });

  it('does not move its mark to an id in the future', async () => {
    const json = { data: [], meta: { newest_id: postIdAt(START_MS + 9e9), result_count: 0 } };
    scene.fake.platform.faults.push({ path: PATH, reply: { kind: 'json', json } });
    scene.run.start(search());
    await scene.run.until(() => scene.fake.platform.requests.length >= 2);
    const since = scene.fake.platform.requests[1]?.query.get('since_id') ?? '';
    expect(BigInt(since)).toBeLessThan(BigInt(postIdAt(START_MS)));
  });

  it('never reads more posts in a month than allowed, even across a restart', async () => {
    scene.fake.posts = Array.from({ length: 300 }, (_, at) =>
      xPost(postIdAt(START_MS - 50_000 + at), START_MS - 50_000 + at),
    );
    scene.run.start(search(130));
    await scene.run.until(
      () => scene.run.state?.kind === 'waiting' && scene.run.state.reason === 'budget-spent',
    );
    expect(scene.run.events.length).toBe(130);
    const { cursor } = scene.run;
    await scene.run.stop();
    scene.run = new CollectorRun(WANTED, START_MS + 5_000, cursor);
    const before = scene.fake.platform.requests.length;
    scene.run.start(search(130));
    await scene.run.until(() => scene.run.state?.kind === 'waiting');
    expect(scene.fake.platform.requests.length).toBe(before);
    await scene.run.until(() => scene.fake.platform.requests.length > before);
    expect(scene.fake.platform.requests[before]?.atMs).toBeGreaterThanOrEqual(
      Date.UTC(2026, 11, 1),
    );
  });

  it('waits for the next month when X reports that the cap is reached', async () => {
    const json = { title: 'UsageCapExceeded', period: 'Monthly' };
    scene.fake.platform.faults.push({ path: PATH, reply: { kind: 'json', status: 429, json } });
    scene.run.start(search());
    await scene.run.until(() => scene.run.statuses.some(({ state }) => state.kind === 'waiting'));
    expect(scene.run.statuses.map(({ state }) => state)).toContainEqual(
      expect.objectContaining({ reason: 'budget-spent' }),
    );
  });

  it('sends no request while nothing is wanted, and searches for a token added later', async () => {
    scene.run.wanted = NOTHING;
    scene.run.start(search());
    await scene.run.until(
      () => scene.run.state?.kind === 'waiting' && scene.run.state.reason === 'nothing-wanted',
    );
    expect(scene.fake.platform.requests.length).toBe(0);
    scene.run.wanted = {
      mints: [],
      cashtags: ['bonk', 'b"ad'],
      links: ['x.com/bonk_inu', 'bonk.com'],
    };
    await scene.run.until(() => scene.fake.platform.requests.length > 0);
    const [request] = scene.fake.platform.requests;
    expect(request?.query.get('query')).toBe('(@bonk_inu OR $bonk) -is:retweet');
  });

  it('continues with the other queries when X refuses one', async () => {
    scene.run.wanted = {
      ...NOTHING,
      mints: Array.from({ length: 6 }, (_, at) => named(`${MINT.slice(0, -1)}${at + 3}`)),
    };
    scene.fake.platform.faults.push({ path: PATH, reply: { kind: 'json', status: 400, json: {} } });
    scene.run.start(search());
    await scene.run.until(() => scene.fake.platform.requests.length >= 2);
    const [one, two] = scene.fake.platform.requests.map(({ query }) => query.get('query'));
    expect(one).not.toBe(two);
  });

  it('retries with increasing delays when X refuses all queries', async () => {
    const reply = { kind: 'json', status: 400, json: {} } as const;
    scene.fake.platform.faults.push({ path: PATH, reply }, { path: PATH, reply });
    scene.run.start(search());
    await scene.run.until(() => scene.fake.platform.requests.length >= 3);
    expect(scene.run.statuses.map(({ state }) => state)).toContainEqual(
      expect.objectContaining({ reason: 'failing', message: 'The platform refuses every query.' }),
    );
  });
});
