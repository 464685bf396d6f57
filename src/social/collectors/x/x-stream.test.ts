import { describe, expect, it } from 'vitest';
import {
  CollectorRun,
  eachScene,
  MINT,
  START_MS,
  WANTED,
} from '../../../../tests/support/collector-run.ts';
import { FakeX, postIdAt, xPost } from '../../../../tests/support/fake-x.ts';
import { createXStream } from './x-stream.ts';

const PATH = '/2/tweets/search/stream';

const scene = eachScene((nowMs) => FakeX.start(nowMs), WANTED);

function stream(overrides: { postsPerMonth?: number; silenceMs?: number } = {}) {
  return createXStream({
    baseUrl: scene.fake.platform.url,
    bearerToken: scene.fake.token,
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
  return scene.fake.platform.requests.filter(({ path }) => path === PATH);
}

function post(sequence: number) {
  return xPost(postIdAt(START_MS - 1_000, sequence), START_MS - 1_000);
}

describe('the stream of X', () => {
  it('creates its own rules, keeps those of others, and emits received posts', async () => {
    scene.fake.rules = [
      { id: 'foreign', value: 'cats', tag: 'somebody else' },
      { id: 'old', value: '(dogs) -is:retweet', tag: 'mintscope' },
    ];
    scene.run.start(stream());
    await scene.run.until(() => scene.fake.listeners.length === 1);
    expect(scene.fake.rules.map(({ value }) => value)).toEqual([
      'cats',
      `(${MINT} OR url:${MINT}) -is:retweet`,
    ]);
    scene.fake.sendPost(post(1));
    scene.fake.send('\r\n');
    scene.fake.sendPost(post(2));
    scene.fake.sendPost(post(2));
    await scene.run.until(() => scene.run.events.length === 2 && scene.run.counts.repeats === 1);
    expect(scene.run.posts.map(({ author }) => author.followers)).toEqual([1_000, 1_000]);
  });

  it('updates the rules to the wanted terms while the stream runs', async () => {
    scene.run.start(stream());
    await scene.run.until(() => scene.fake.listeners.length === 1);
    scene.run.wanted = { ...WANTED, cashtags: ['bonk'] };
    await scene.run.until(() => scene.fake.rules.some(({ value }) => value.includes('$bonk')));
    expect(scene.fake.rules.length).toBe(1);
    expect(connections().length).toBe(1);
  });

  it('requests the missed minutes, at most those that X replays, and counts a gap for the rest', async () => {
    scene.run.start(stream());
    await scene.run.until(() => scene.fake.listeners.length === 1);
    scene.fake.sendPost(post(1));
    await scene.run.until(() => scene.run.cursor !== null);
    expect(connections()[0]?.query.get('backfill_minutes')).toBeNull();
    await scene.run.stop();
    const { cursor } = scene.run;
    const heardMs: unknown = JSON.parse(cursor ?? '{}').heardMs;
    scene.run = new CollectorRun(WANTED, Number(heardMs) + 150_000, cursor);
    scene.run.start(stream());
    await scene.run.until(() => connections().length === 2);
    expect(connections()[1]?.query.get('backfill_minutes')).toBe('3');
    expect(scene.run.counts.gaps).toBe(0);
    await scene.run.stop();
    scene.run = new CollectorRun(WANTED, Number(heardMs) + 3_600_000, cursor);
    scene.run.start(stream());
    await scene.run.until(() => connections().length === 3);
    expect(connections()[2]?.query.get('backfill_minutes')).toBe('5');
    await scene.run.until(() => scene.run.counts.gaps === 1);
  });

  it('reconnects after a cut within a post, and loses no replayed post', async () => {
    scene.run.start(stream());
    await scene.run.until(() => scene.fake.listeners.length === 1);
    const text = JSON.stringify(scene.fake.message(post(1)));
    scene.fake.send(text.slice(0, 40));
    await new Promise((resolve) => setTimeout(resolve, 20));
    for (const listener of scene.fake.listeners) listener.destroy();
    await scene.run.until(() => connections().length === 2 && scene.fake.listeners.length === 1);
    scene.fake.send(`${text}\r\n`);
    await scene.run.until(() => scene.run.events.length === 1);
  });

  it('reconnects when no data arrive, not even an empty line', async () => {
    scene.run.start(stream({ silenceMs: 100 }));
    await scene.run.until(() => connections().length >= 2);
    expect(scene.run.counts.failures).toBeGreaterThanOrEqual(1);
  });

  it('keeps a connection that receives only empty lines', async () => {
    scene.run.start(stream({ silenceMs: 600 }));
    await scene.run.until(() => scene.fake.listeners.length === 1);
    const beating = setInterval(() => scene.fake.send('\r\n'), 40);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    clearInterval(beating);
    expect(connections().length).toBe(1);
  });

  it('skips malformed and overlong lines', async () => {
    scene.run.start(stream());
    await scene.run.until(() => scene.fake.listeners.length === 1);
    scene.fake.send('{"data":\r\nnull\r\n[]\r\n');
    scene.fake.send(`{"data":"${'x'.repeat(300_000)}"}\r\n`);
    scene.fake.sendPost({ id: 5 });
    scene.fake.sendPost(post(1));
    await scene.run.until(() => scene.run.events.length === 1 && scene.run.counts.malformed === 5);
    expect(connections().length).toBe(1);
  });

  it('reconnects with increasing delays when X reports that it ends the stream', async () => {
    scene.run.start(stream());
    await scene.run.until(() => scene.fake.listeners.length === 1);
    scene.fake.send(`${JSON.stringify({ errors: [{ title: 'operational-disconnect' }] })}\r\n`);
    await scene.run.until(() => connections().length === 2);
    expect(scene.run.statuses.some(({ state }) => state.kind === 'waiting')).toBe(true);
  });

  it('stops for a revoked token', async () => {
    const reply = { kind: 'json', status: 401, json: {} } as const;
    scene.fake.platform.faults.push({ path: `${PATH}/rules`, reply });
    scene.run.start(stream());
    await scene.run.ended();
    expect(scene.run.state?.kind).toBe('stopped');
    expect(JSON.stringify(scene.run.statuses)).not.toContain(scene.fake.token);
  });

  it('waits as long as X requests when there are too many connections', async () => {
    const headers = { 'x-rate-limit-reset': String(START_MS / 1_000 + 900) };
    const reply = { kind: 'json', status: 429, headers, json: {} } as const;
    scene.fake.platform.faults.push({ path: PATH, reply: { kind: 'json', json: { data: [] } } });
    scene.fake.platform.faults.push({
      path: `${PATH}/rules`,
      reply: { kind: 'json', status: 201, json: {} },
    });
    scene.fake.platform.faults.push({ path: PATH, reply });
    scene.run.start(stream());
    await scene.run.until(() => scene.fake.listeners.length === 1);
    expect(connections().at(-1)?.atMs).toBeGreaterThanOrEqual(START_MS + 900_000);
  });

  it('ends the stream when the posts of the month have been read', async () => {
    scene.run.start(stream({ postsPerMonth: 2 }));
    await scene.run.until(() => scene.fake.listeners.length === 1);
    scene.fake.sendPost(post(1));
    scene.fake.sendPost(post(2));
    await scene.run.until(() => scene.run.statuses.some(isSpent));
    expect(scene.run.events.length).toBe(2);
    await scene.run.until(() => connections().length === 2);
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
