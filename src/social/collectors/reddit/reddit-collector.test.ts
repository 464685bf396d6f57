import { beforeEach, describe, expect, it } from 'vitest';
import { CollectorRun, MINT, NOTHING, START_MS } from '../../../../tests/support/collector-run.ts';
import { FakeReddit, submission } from '../../../../tests/support/fake-reddit.ts';
import { createRedditCollector } from './reddit-collector.ts';

const NEW = '/r/solana/new';

let reddit: FakeReddit;
let run: CollectorRun;

beforeEach(async () => {
  ({ run, fake: reddit } = await CollectorRun.with(FakeReddit, NOTHING));
});

function collector(clientSecret = reddit.secret, communities: readonly string[] = ['solana']) {
  return createRedditCollector({
    authBaseUrl: reddit.platform.url,
    apiBaseUrl: reddit.platform.url,
    clientId: 'app',
    clientSecret,
    userAgent: 'test:mintscope:v0 (by /u/nobody)',
    requestsPerMinute: 6_000,
    communities,
    pollMs: 10_000,
    queriesMax: 3,
    recheckMs: 60_000,
  });
}

describe('the Reddit collector', () => {
  it('emits new submissions of a community, the oldest first', async () => {
    reddit.listed = [submission('b', START_MS - 1_000), submission('a', START_MS - 2_000)];
    run.start(collector());
    await run.until(() => run.events.length === 2);
    expect(run.posts[0]).toEqual({
      platform: 'reddit',
      postId: 'a',
      author: {
        id: 't2_kim',
        handle: 'kim',
        followers: null,
        following: null,
        createdAtMs: null,
        postCount: null,
      },
      text: 'title a\n\nbody',
      url: 'https://www.reddit.com/r/solana/comments/a/title/',
      links: [],
      reposts: 1,
      createdAtMs: START_MS - 2_000,
    });
    expect(run.posts[1]?.postId).toBe('b');
  });

  it('continues from the newest known submission, also after a kill, with any number of new ones', async () => {
    reddit.listed = [submission('a', START_MS - 2_000)];
    run.start(collector());
    await run.until(() => run.cursor !== null);
    await run.stop();
    const fresh = Array.from({ length: 250 }, (_, at) => submission(`n${at}`, START_MS + at));
    reddit.listed = [...fresh.toReversed(), ...reddit.listed];
    run = new CollectorRun(NOTHING, START_MS + 600_000, run.cursor);
    run.start(collector());
    await run.until(() => run.events.length >= 250);
    expect(run.posts.map(({ postId }) => postId)).toEqual(fresh.map(({ name }) => name.slice(3)));
    const places = reddit.platform.asked(NEW).map(({ query }) => query.get('before'));
    expect(places.slice(-3)).toContain('t3_n199');
  });

  it('finds new submissions even if the one at its position was deleted', async () => {
    reddit.listed = [submission('b', START_MS - 1_000), submission('a', START_MS - 2_000)];
    run.start(collector());
    await run.until(() => run.events.length === 2);
    reddit.remove('b');
    reddit.listed.unshift(submission('c', START_MS + 1_000));
    await run.until(() => run.events.length === 3);
    expect(run.posts[2]?.postId).toBe('c');
    expect(run.events.length).toBe(3);
  });

  it('emits edits and deletions found by a recheck', async () => {
    reddit.listed = [submission('b', START_MS - 1_000), submission('a', START_MS - 2_000)];
    run.start(collector());
    await run.until(() => run.events.length === 2);
    reddit.listed = [
      submission('b', START_MS - 1_000, { author: '[deleted]', selftext: '[deleted]' }),
      submission('a', START_MS - 2_000, { selftext: 'another body' }),
    ];
    await run.until(() => run.events.length === 4);
    expect(run.events[2]).toEqual({ kind: 'deleted', platform: 'reddit', postId: 'b' });
    expect(run.posts[2]).toMatchObject({ postId: 'a', text: 'title a\n\nanother body' });
    expect(run.counts.deletions).toBe(1);
  });

  it('searches all communities for the wanted terms', async () => {
    run.wanted = { ...NOTHING, mints: [MINT], cashtags: ['wif'] };
    const link = { is_self: false, url: `https://pump.fun/coin/${MINT}`, selftext: '' };
    reddit.found = [submission('z', START_MS - 1_000, link), submission('old', START_MS - 9e8)];
    run.start(collector(reddit.secret, []));
    await run.until(() => run.events.length === 1);
    expect(run.posts[0]).toMatchObject({ text: 'title z', links: [link.url] });
    const [search] = reddit.platform.asked('/search');
    expect(search?.query.get('q')).toBe(`"${MINT}" OR "$wif"`);
  });

  it('renews a rejected token, and stops when the secret is rejected', async () => {
    reddit.listed = [submission('a', START_MS - 2_000)];
    run.start(collector());
    await run.until(() => run.events.length === 1);
    reddit.token = 'another';
    await run.until(() => reddit.token === 'token-2');
    await run.stop();
    run = new CollectorRun(NOTHING, START_MS);
    run.start(collector('a wrong secret'));
    await run.ended();
    expect(run.state?.kind).toBe('stopped');
    expect(JSON.stringify(run.statuses)).not.toContain('secret');
  });

  it('stops when new tokens are rejected too', async () => {
    const reply = { kind: 'json', status: 401, json: {} } as const;
    reddit.platform.faults.push({ path: NEW, reply }, { path: NEW, reply });
    run.start(collector());
    await run.ended();
    expect(run.state?.kind).toBe('stopped');
  });

  it('waits for the end of the period when no requests are left, and after a refusal', async () => {
    reddit.rateHeaders = { 'x-ratelimit-remaining': '0.0', 'x-ratelimit-reset': '400' };
    run.start(collector());
    await run.until(() => reddit.platform.asked(NEW).length >= 2);
    reddit.rateHeaders = {};
    const [first, second] = reddit.platform.asked(NEW);
    expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThanOrEqual(400_000);
    const headers = { 'x-ratelimit-reset': '300' };
    const reply = { kind: 'json', status: 429, headers, json: {} } as const;
    reddit.platform.faults.push({ path: NEW, reply });
    await run.until(() => reddit.platform.faults.length === 0);
    await run.until(() => run.statuses.some(({ state }) => state.kind === 'waiting'));
    const at = reddit.platform.asked(NEW).findIndex(({ reply: given }) => given === reply);
    await run.until(() => reddit.platform.asked(NEW).length > at + 1);
    const [refused, next] = reddit.platform.asked(NEW).slice(at);
    expect((next?.atMs ?? 0) - (refused?.atMs ?? 0)).toBeGreaterThanOrEqual(300_000);
  });

  it('reads the other communities when one is closed', async () => {
    reddit.listed = [submission('a', START_MS - 2_000)];
    run.start(collector(reddit.secret, ['secret_club', 'solana']));
    await run.stoppedWhen(() => run.events.length === 1);
    expect(run.counts.failures).toBe(1);
  });

  it.each([
    ['a cut connection', { kind: 'cut', text: '{"kind":"Listing","data":{' }],
    ['something that is not a listing', { kind: 'json', json: { data: { children: 'no' } } }],
    ['a page in place of JSON', { kind: 'text', text: '<!doctype html>' }],
  ] as const)('tries again after %s', async (_, reply) => {
    reddit.listed = [submission('a', START_MS - 2_000)];
    reddit.platform.faults.push({ path: NEW, reply });
    run.start(collector());
    await run.until(() => run.events.length === 1);
    expect(run.counts.failures).toBe(1);
  });

  it('skips invalid submissions', async () => {
    reddit.listed = [
      submission('a', START_MS - 1_000, { name: 't1_comment' }),
      submission('b', START_MS - 2_000, { title: 7 }),
      submission('c', START_MS - 3_000, { author: null, author_fullname: {} }),
      submission('d', Number.NaN),
      submission('e', START_MS - 4_000, { permalink: 'javascript:alert(1)', num_crossposts: -1 }),
    ];
    run.start(collector());
    await run.stoppedWhen(() => run.events.length === 1);
    expect(run.posts[0]).toMatchObject({
      postId: 'e',
      url: 'https://www.reddit.com/comments/e',
      reposts: null,
    });
    expect(run.counts.malformed).toBe(4);
  });
});
