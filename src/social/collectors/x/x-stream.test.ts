import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CollectorRun, NOTHING } from '../../../../tests/support/collector-run.ts';
import { FakeX, postIdAt, xPost } from '../../../../tests/support/fake-x.ts';
import { asAddress } from '../../../model/units.ts';
import { createXStream } from './x-stream.ts';

const START_MS = Date.UTC(2026, 10, 20, 12);
const MINT = asAddress('So11111111111111111111111111111111111111112');
const WANTED = { ...NOTHING, mints: [MINT] };
const PATH = '/2/tweets/search/stream';

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

function stream(overrides: { postsPerMonth?: number; silenceMs?: number } = {}) {
  return createXStream({
    baseUrl: x.platform.url,
    bearerToken: x.token,
    postsPerMonth: 10_000,
    requestsPerMinute: 600,
    ruleLengthMax: 1_024,
    rulesMax: 1_000,
    backfillMinutesMax: 5,
    silenceMs: 5_000,
    rulesMs: 50,
    ...overrides,
  });
}

/** The number of connections to the stream. */
function connections() {
  return x.platform.requests.filter(({ path }) => path === PATH);
}

function post(sequence: number) {
  return xPost(postIdAt(START_MS - 1_000, sequence), START_MS - 1_000);
}

describe('the stream of X', () => {
  it('creates its own rules, keeps those of others, and emits received posts', async () => {
    x.rules = [
      { id: 'foreign', value: 'cats', tag: 'somebody else' },
      { id: 'old', value: '(dogs) -is:retweet', tag: 'mintscope' },
    ];
    run.start(stream());
    await run.until(() => x.listeners.length === 1);
    expect(x.rules.map(({ value }) => value)).toEqual([
      'cats',
      `(${MINT} OR url:${MINT}) -is:retweet`,
    ]);
    x.sendPost(post(1));
    x.send('\r\n');
    x.sendPost(post(2));
    x.sendPost(post(2));
    await run.until(() => run.events.length === 2 && run.counts.repeats === 1);
    expect(run.posts.map(({ author }) => author.followers)).toEqual([1_000, 1_000]);
  });

  it('updates the rules to the wanted terms while the stream runs', async () => {
    run.start(stream());
    await run.until(() => x.listeners.length === 1);
    run.wanted = { ...WANTED, cashtags: ['bonk'] };
    await run.until(() => x.rules.some(({ value }) => value.includes('$bonk')));
    expect(x.rules.length).toBe(1);
    expect(connections().length).toBe(1);
  });

  it('requests the missed minutes, at most those that X replays, and counts a gap for the rest', async () => {
    run.start(stream());
    await run.until(() => x.listeners.length === 1);
    x.sendPost(post(1));
    await run.until(() => run.cursor !== null);
    expect(connections()[0]?.query.get('backfill_minutes')).toBeNull();
    await run.stop();
    const { cursor } = run;
    const heardMs: unknown = JSON.parse(cursor ?? '{}').heardMs;
    run = new CollectorRun(WANTED, Number(heardMs) + 150_000, cursor);
    run.start(stream());
    await run.until(() => connections().length === 2);
    expect(connections()[1]?.query.get('backfill_minutes')).toBe('3');
    expect(run.counts.gaps).toBe(0);
    await run.stop();
    run = new CollectorRun(WANTED, Number(heardMs) + 3_600_000, cursor);
    run.start(stream());
    await run.until(() => connections().length === 3);
    expect(connections()[2]?.query.get('backfill_minutes')).toBe('5');
    await run.until(() => run.counts.gaps === 1);
  });

  it('reconnects after a cut within a post, and loses no replayed post', async () => {
    run.start(stream());
    await run.until(() => x.listeners.length === 1);
    const text = JSON.stringify(x.message(post(1)));
    x.send(text.slice(0, 40));
    await new Promise((resolve) => setTimeout(resolve, 20));
    for (const listener of x.listeners) listener.destroy();
    await run.until(() => connections().length === 2 && x.listeners.length === 1);
    x.send(`${text}\r\n`);
    await run.until(() => run.events.length === 1);
  });

  it('reconnects when no data arrive, not even an empty line', async () => {
    run.start(stream({ silenceMs: 100 }));
    await run.until(() => connections().length >= 2);
    expect(run.counts.failures).toBeGreaterThanOrEqual(1);
  });

  it('keeps a connection that receives only empty lines', async () => {
    run.start(stream({ silenceMs: 600 }));
    await run.until(() => x.listeners.length === 1);
    const beating = setInterval(() => x.send('\r\n'), 40);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    clearInterval(beating);
    expect(connections().length).toBe(1);
  });

  it('skips malformed and overlong lines', async () => {
    run.start(stream());
    await run.until(() => x.listeners.length === 1);
    x.send('{"data":\r\nnull\r\n[]\r\n');
    x.send(`{"data":"${'x'.repeat(300_000)}"}\r\n`);
    x.sendPost({ id: 5 });
    x.sendPost(post(1));
    await run.until(() => run.events.length === 1 && run.counts.malformed === 5);
    expect(connections().length).toBe(1);
  });

  it('reconnects with increasing delays when X reports that it ends the stream', async () => {
    run.start(stream());
    await run.until(() => x.listeners.length === 1);
    x.send(`${JSON.stringify({ errors: [{ title: 'operational-disconnect' }] })}\r\n`);
    await run.until(() => connections().length === 2);
    expect(run.statuses.some(({ state }) => state.kind === 'waiting')).toBe(true);
  });

  it('stops for a revoked token', async () => {
    const reply = { kind: 'json', status: 401, json: {} } as const;
    x.platform.faults.push({ path: `${PATH}/rules`, reply });
    run.start(stream());
    await run.ended();
    expect(run.state?.kind).toBe('stopped');
    expect(JSON.stringify(run.statuses)).not.toContain(x.token);
  });

  it('waits as long as X requests when there are too many connections', async () => {
    const headers = { 'x-rate-limit-reset': String(START_MS / 1_000 + 900) };
    const reply = { kind: 'json', status: 429, headers, json: {} } as const;
    x.platform.faults.push({ path: PATH, reply: { kind: 'json', json: { data: [] } } });
    x.platform.faults.push({
      path: `${PATH}/rules`,
      reply: { kind: 'json', status: 201, json: {} },
    });
    x.platform.faults.push({ path: PATH, reply });
    run.start(stream());
    await run.until(() => x.listeners.length === 1);
    expect(connections().at(-1)?.atMs).toBeGreaterThanOrEqual(START_MS + 900_000);
  });

  it('ends the stream when the posts of the month have been read', async () => {
    run.start(stream({ postsPerMonth: 2 }));
    await run.until(() => x.listeners.length === 1);
    x.sendPost(post(1));
    x.sendPost(post(2));
    await run.until(() => run.statuses.some(isSpent));
    expect(run.events.length).toBe(2);
    await run.until(() => connections().length === 2);
    expect(connections()[1]?.atMs).toBeGreaterThanOrEqual(Date.UTC(2026, 11, 1));
  });
});

function isSpent({
  state,
}: {
  readonly state: { readonly kind: string; readonly reason?: string };
}) {
  return state.kind === 'waiting' && state.reason === 'budget-spent';
}
