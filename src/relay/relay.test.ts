import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { exchange } from '../../tests/support/raw-exchange.ts';
import { deadOrigin, RelayStage, type StageOptions } from '../../tests/support/relay-stage.ts';
import {
  answering,
  dying,
  type Script,
  ScriptedReplica,
} from '../../tests/support/scripted-replica.ts';

const open: { close(): Promise<unknown> }[] = [];

afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

async function replicaOf(script: Script): Promise<ScriptedReplica> {
  const replica = await new ScriptedReplica(script).start();
  open.push({ close: () => replica.kill().catch(() => undefined) });
  return replica;
}

async function stageOf(
  replicas: readonly (ScriptedReplica | string)[],
  options: StageOptions = {},
): Promise<RelayStage> {
  const origins = replicas.map((one) => (typeof one === 'string' ? one : one.origin));
  const stage = await RelayStage.start(origins, options);
  open.push(stage);
  return stage;
}

async function bodyOf(stage: RelayStage, path = '/v1/tokens', method = 'GET', body?: string) {
  const answer = await exchange(stage.url, {
    path,
    method,
    ...(body === undefined ? {} : { body }),
  });
  return `${answer.status} ${answer.body}`;
}

const NO_REPLICA = '503 {"code":503,"message":"No replica answers: try again later."}';

describe('requests', () => {
  test('are shared between the replicas that are ready', async () => {
    const [one, other] = [await replicaOf(answering('one')), await replicaOf(answering('other'))];
    const stage = await stageOf([one, other]);
    for (let index = 0; index < 10; index++) await bodyOf(stage);
    expect([one.requests.length, other.requests.length]).toEqual([5, 5]);
  });

  test('go to the replica with the fewest open ones', async () => {
    const waiting: (() => void)[] = [];
    const one = await replicaOf((_, response) => waiting.push(() => response.end('one')));
    const other = await replicaOf(answering('other'));
    const stage = await stageOf([one, other]);
    // Without open requests they take turns.
    expect(await bodyOf(stage)).toBe('200 other');
    const held = bodyOf(stage);
    while (waiting.length === 0) await new Promise((resolve) => setImmediate(resolve));
    for (let index = 0; index < 6; index++) expect(await bodyOf(stage)).toBe('200 other');
    expect(one.requests.length).toBe(1);
    for (const answer of waiting) answer();
    expect(await held).toBe('200 one');
  });

  test('name the client to the replica', async () => {
    const echo = await replicaOf((request, response) => {
      response.end(JSON.stringify([request.headers['x-forwarded-for'], request.headers.host]));
    });
    const stage = await stageOf([echo]);
    const headers = { host: 'api.example', 'x-forwarded-for': '198.51.100.1' };
    const answer = await exchange(stage.url, { path: '/', headers });
    expect(JSON.parse(answer.body.toString())).toEqual(['198.51.100.1, 127.0.0.1', 'api.example']);
  });
});

describe('a replica', () => {
  test('that is not ready is asked only while none is', async () => {
    const [stale, ready] = [
      await replicaOf(answering('stale')),
      await replicaOf(answering('ready')),
    ];
    stale.ready = { status: 503, slot: 100, message: 'Not ready: source_lag: 99 s.' };
    const stage = await stageOf([stale, ready]);
    for (let index = 0; index < 4; index++) expect(await bodyOf(stage)).toBe('200 ready');
    await ready.kill();
    await stage.replicas.probeAll();
    expect(await bodyOf(stage)).toBe('200 stale');
  });

  test('that most others contradict is never asked', async () => {
    const wrong = await replicaOf(answering('wrong'));
    wrong.ready = { status: 503, slot: null, message: 'Not ready: source: The state differs.' };
    const stage = await stageOf([wrong]);
    expect(await bodyOf(stage)).toBe(NO_REPLICA);
    expect(wrong.requests).toEqual([]);
    const ready = await exchange(stage.url, { path: '/readyz' });
    expect(ready.status).toBe(503);
    expect(ready.body.toString()).toContain('The state differs.');
  });

  test('that does not show its readiness is not asked, and the node says what to do', async () => {
    const closed = await replicaOf(answering('closed'));
    closed.ready = { status: 401, slot: null };
    const stage = await stageOf([closed]);
    const ready = await exchange(stage.url, { path: '/readyz' });
    expect([ready.status, ready.body.toString()]).toEqual([
      503,
      expect.stringContaining('start it with --open-ops true'),
    ]);
  });

  test('that dies before it answers costs a read nothing', async () => {
    const [dead, alive] = [await replicaOf(dying), await replicaOf(answering('alive'))];
    const stage = await stageOf([dead, alive]);
    for (let index = 0; index < 4; index++) expect(await bodyOf(stage)).toBe('200 alive');
    // Nothing more was sent to it before it said how it is.
    expect(dead.requests).toHaveLength(1);
    expect(stage.node.counts.repeats.lost).toBe(1);
  });

  test('that dies in the middle of a short answer costs a read nothing', async () => {
    const half = await replicaOf((request, response) => {
      response.writeHead(200, { 'content-length': '10' });
      response.write('half', () => request.socket.destroy());
    });
    const stage = await stageOf([half, await replicaOf(answering('whole'))]);
    for (let index = 0; index < 2; index++) expect(await bodyOf(stage)).toBe('200 whole');
    expect(half.requests).toHaveLength(1);
  });

  test('that dies in the middle of a long answer cuts it off', async () => {
    const long = await replicaOf((request, response) => {
      response.write('x'.repeat(3_000_000), () => request.socket.destroy());
    });
    const stage = await stageOf([long]);
    await expect(exchange(stage.url, { path: '/v1/tokens' })).rejects.toThrow('aborted');
    expect(stage.node.counts.results['cut-off']).toBe(1);
  });

  test('is given up after another one failed too', async () => {
    const three = [await replicaOf(dying), await replicaOf(dying), await replicaOf(dying)];
    const stage = await stageOf(three);
    expect(await bodyOf(stage)).toBe(NO_REPLICA);
    expect(three.flatMap(({ requests }) => requests)).toHaveLength(2);
  });

  test('that is slow is left for another one, and its request ended', async () => {
    let isEnded = false;
    const slow = await replicaOf((request) => {
      request.socket.once('close', () => {
        isEnded = true;
      });
    });
    const stage = await stageOf([slow, await replicaOf(answering('fast'))], {
      limits: { answerMs: 50 },
    });
    const answers = [await bodyOf(stage), await bodyOf(stage)];
    expect(answers).toEqual(['200 fast', '200 fast']);
    expect([stage.node.counts.repeats.late, isEnded]).toEqual([1, true]);
  });
});

describe('a change', () => {
  const change = (stage: RelayStage) => bodyOf(stage, '/v1/triggers/add', 'POST', '{"a":1}');

  test('is sent to one replica, with its body', async () => {
    const one = await replicaOf(answering('made'));
    const stage = await stageOf([one]);
    expect(await change(stage)).toBe('200 made');
    expect(one.requests).toEqual([{ method: 'POST', url: '/v1/triggers/add', body: '{"a":1}' }]);
  });

  test('that may have been made is not sent again', async () => {
    const two = [await replicaOf(dying), await replicaOf(dying)];
    const stage = await stageOf(two);
    expect(await change(stage)).toMatch(/^503 .*unknown whether the change was made/);
    expect(two.flatMap(({ requests }) => requests)).toHaveLength(1);
  });

  test('is sent to another replica if the first cannot be reached', async () => {
    const [gone, alive] = [await replicaOf(answering('gone')), await replicaOf(answering('made'))];
    const stage = await stageOf([gone, alive]);
    await gone.kill();
    for (let index = 0; index < 2; index++) expect(await change(stage)).toBe('200 made');
    expect(stage.node.counts.repeats.unsent).toBe(1);
  });

  test('in a batch of reads is a read', async () => {
    const stage = await stageOf([await replicaOf(dying), await replicaOf(answering('read'))]);
    const post = () => bodyOf(stage, '/v1/batch/prices', 'POST', '{}');
    expect([await post(), await post()]).toEqual(['200 read', '200 read']);
  });
});

describe('the slot of an answer never falls', () => {
  /** Answers as of its slot, and refuses a later one, as replicas do. */
  const at =
    (slot: number): Script =>
    (request, response) => {
      const isBehind = Number(request.headers['x-min-slot'] ?? 0) > slot;
      response.writeHead(isBehind ? 503 : 200, { 'x-slot': String(slot) });
      response.end(String(slot));
    };

  test('a replica that is behind is passed over once a later slot was seen', async () => {
    const [behind, ahead] = [await replicaOf(at(100)), await replicaOf(at(101))];
    const stage = await stageOf([behind, ahead]);
    const slots: string[] = [];
    for (let index = 0; index < 6; index++) slots.push(await bodyOf(stage));
    expect(slots.slice(1)).toEqual(Array(5).fill('200 101'));
    expect(stage.replicas.seenSlot).toBe(101);
    expect(stage.node.counts.repeats.behind).toBeGreaterThan(0);
  });

  test('without a replica that has reached it the client is told to come back', async () => {
    const [behind, ahead] = [await replicaOf(at(100)), await replicaOf(at(101))];
    const stage = await stageOf([behind, ahead]);
    while ((await bodyOf(stage)) !== '200 101');
    await ahead.kill();
    expect(await bodyOf(stage)).toBe('503 100');
  });

  test('a slot of the client counts if it is later', async () => {
    const echo = await replicaOf((request, response) => {
      response.setHeader('x-slot', '50').end(String(request.headers['x-min-slot']));
    });
    const stage = await stageOf([echo]);
    const wanting = async (slot: string) =>
      (await exchange(stage.url, { path: '/', headers: { 'x-min-slot': slot } })).body.toString();
    expect(await bodyOf(stage)).toBe('200 undefined');
    expect([await wanting('40'), await wanting('60'), await wanting('soon')]).toEqual([
      ...['50', '60', 'soon'],
    ]);
  });
});

describe('a session', () => {
  /** Knows one session, and begins it. */
  const knowing =
    (secret: string): Script =>
    (request, response) => {
      if (request.method === 'POST') {
        response.writeHead(201, { 'set-cookie': `mintscope_session=${secret}; Path=/` }).end();
        return;
      }
      const isKnown =
        request.headers.cookie === `mintscope_session=${secret}` ||
        request.url?.endsWith(`ticket=${secret}`) === true;
      response.writeHead(isKnown ? 200 : 401).end(secret);
    };

  test('is known where it was begun, and found there by any node', async () => {
    const replicas = [await replicaOf(knowing('a')), await replicaOf(knowing('b'))];
    const stage = await stageOf(replicas);
    const begun = await exchange(stage.url, { method: 'POST', path: '/v1/session' });
    const [cookie = ''] = [begun.headers['set-cookie'] ?? []]
      .flat()
      .map((one) => one.split(';')[0]);
    const read = async (node: RelayStage) =>
      (await exchange(node.url, { path: '/v1/key', headers: { cookie } })).status;
    for (let index = 0; index < 4; index++) expect(await read(stage)).toBe(200);
    expect(stage.node.counts.repeats['other-session']).toBe(0);
    const other = await stageOf(replicas);
    for (let index = 0; index < 4; index++) expect(await read(other)).toBe(200);
    // It is looked for once.
    expect(other.node.counts.repeats['other-session']).toBeLessThanOrEqual(1);
  });

  test('that nobody knows is refused as the replicas do', async () => {
    const replicas = [await replicaOf(knowing('a')), await replicaOf(knowing('b'))];
    const stage = await stageOf(replicas);
    const headers = { cookie: 'mintscope_session=c' };
    expect((await exchange(stage.url, { path: '/v1/key', headers })).status).toBe(401);
    expect(replicas.flatMap(({ requests }) => requests)).toHaveLength(2);
  });

  test('a wrong key is asked for once', async () => {
    const replicas = [await replicaOf(knowing('a')), await replicaOf(knowing('b'))];
    const stage = await stageOf(replicas);
    const headers = { 'x-api-key': 'wrong', cookie: 'mintscope_session=c' };
    expect((await exchange(stage.url, { path: '/v1/key', headers })).status).toBe(401);
    expect(replicas.flatMap(({ requests }) => requests)).toHaveLength(1);
  });
});

test('backtests of a key stay on one replica', async () => {
  const replicas = [await replicaOf(answering('one')), await replicaOf(answering('other'))];
  const stage = await stageOf(replicas);
  const path = '/v1/backtests/7';
  const at = async (key: string) =>
    (await exchange(stage.url, { path, headers: { 'x-api-key': key } })).body.toString();
  const homes = new Map<string, string>();
  for (const key of 'abcdefghij') homes.set(key, await at(key));
  expect(new Set(homes.values())).toEqual(new Set(['one', 'other']));
  for (const [key, home] of homes) expect(await at(key)).toBe(home);
});

describe('without a replica', () => {
  test('the contract’s error is answered, and readiness says why', async () => {
    const stage = await stageOf([await deadOrigin()]);
    const answer = await exchange(stage.url, {
      path: '/v1/key',
      headers: { 'x-request-id': 'mine' },
    });
    expect(answer.status).toBe(503);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'retry-after': '1',
      'x-request-id': 'mine',
      'x-api-version': '1.2.3',
      'cache-control': 'no-store',
    });
    expect(JSON.parse(answer.body.toString())).toEqual({
      code: 503,
      message: 'No replica answers: try again later.',
    });
    expect((await exchange(stage.url, { path: '/readyz' })).status).toBe(503);
    expect((await exchange(stage.url, { path: '/livez' })).status).toBe(200);
  });

  test('charts get the error that they expect', async () => {
    const stage = await stageOf([await deadOrigin()]);
    expect(
      JSON.parse((await exchange(stage.url, { path: '/udf/config' })).body.toString()),
    ).toMatchObject({ code: 503, s: 'error' });
  });
});

describe('bounds', () => {
  test('a body that is too large is refused before it is read', async () => {
    const one = await replicaOf(answering('one'));
    const stage = await stageOf([one]);
    const { port } = new URL(stage.url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.write('POST /v1/triggers/add HTTP/1.1\r\nhost: a\r\ncontent-length: 3000000\r\n\r\n');
    const [head] = await once(socket, 'data');
    expect(String(head)).toMatch(/^HTTP\/1\.1 413 [\s\S]*connection: close[\s\S]*"code":413/i);
    expect(one.requests).toEqual([]);
    socket.destroy();
  });

  test('a body in chunks that never ends is refused at the limit', async () => {
    const one = await replicaOf(answering('one'));
    const stage = await stageOf([one]);
    const answer = await exchange(stage.url, {
      method: 'POST',
      path: '/v1/triggers/add',
      headers: { 'transfer-encoding': 'chunked' },
      body: Buffer.alloc(2 * 1_048_576 + 1),
    });
    expect([answer.status, one.requests]).toEqual([413, []]);
  });

  test('so many requests are open at a time', async () => {
    const waiting: (() => void)[] = [];
    const one = await replicaOf((_, response) => waiting.push(() => response.end('late')));
    const stage = await stageOf([one], { requestsMax: 2 });
    const held = [bodyOf(stage), bodyOf(stage)];
    while (one.requests.length < 2) await new Promise((resolve) => setImmediate(resolve));
    expect(await bodyOf(stage)).toMatch(/^503 .*Too many requests are open/);
    for (const answer of waiting) answer();
    expect(await Promise.all(held)).toEqual(['200 late', '200 late']);
  });

  test.each([
    ['no HTTP', 'hello\r\n\r\n', 400],
    [
      'a head that is too large',
      `GET / HTTP/1.1\r\nhost: a\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
    ],
    ['no host', 'GET / HTTP/1.1\r\n\r\n', 400],
    ['two hosts', 'GET / HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n', 400],
    ['a proxy', 'CONNECT a:1 HTTP/1.1\r\nhost: a\r\n\r\n', 405],
    [
      'two lengths',
      'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n',
      400,
    ],
    ['no path', 'OPTIONS * HTTP/1.1\r\nhost: a\r\n\r\n', 400],
    ['an unknown expectation', 'GET / HTTP/1.1\r\nhost: a\r\nexpect: wonders\r\n\r\n', 417],
  ])('%s is answered with an error body', async (_, text, status) => {
    const stage = await stageOf([await replicaOf(answering('one'))]);
    const socket = connect(stage.port, '127.0.0.1');
    socket.write(text);
    let answer = '';
    while (!answer.includes('"message"')) answer += String((await once(socket, 'data'))[0]);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [\\s\\S]*"code":${status},`));
    socket.destroy();
  });

  test('a client that leaves ends its request at the replica', async () => {
    let ended: Promise<unknown> = Promise.resolve();
    const one = await replicaOf((request) => {
      ended = once(request.socket, 'close');
    });
    const stage = await stageOf([one]);
    const socket = connect(stage.port, '127.0.0.1');
    socket.write('GET /v1/tokens HTTP/1.1\r\nhost: a\r\n\r\n');
    while (one.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    socket.destroy();
    await ended;
    while (stage.node.counts.requests > 0) await new Promise((resolve) => setImmediate(resolve));
    expect(stage.node.counts.results.abandoned).toBe(1);
  });
});
