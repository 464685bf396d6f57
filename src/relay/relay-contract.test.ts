import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ADMIN_KEY, MINT, POOL, READ_KEY } from '../../tests/support/fake-api-deps.ts';
import { DATA_URLS, fakeApiServer } from '../../tests/support/fake-api-server.ts';
import { type Exchange, exchange } from '../../tests/support/raw-exchange.ts';
import { listening, RelayStage } from '../../tests/support/relay-stage.ts';

const server = fakeApiServer({}, { openOps: true });
let replica = '';
let stage: RelayStage;

beforeAll(async () => {
  replica = await listening(server);
  stage = await RelayStage.start([replica]);
});

afterAll(async () => {
  await stage.close();
  await server.close();
});

const KEY = { 'x-api-key': READ_KEY, 'x-request-id': 'same', host: 'api.example' };
const JSON_BODY = { 'content-type': 'application/json' };

/** What differs between two equal requests to one server, or is about the connection. */
const OWN = [
  ...['date', 'connection', 'keep-alive', 'ratelimit-remaining', 'ratelimit-reset'],
  'x-data-age-ms',
];

async function answerFrom(origin: string, sent: Exchange) {
  const { headers, body, ...rest } = await exchange(origin, sent);
  const compared = Object.entries(headers).filter(([name]) => !OWN.includes(name));
  return { ...rest, headers: Object.fromEntries(compared), body: body.toString('latin1') };
}

async function expectSame(sent: Exchange): Promise<number> {
  const direct = await answerFrom(replica, sent);
  expect(await answerFrom(stage.url, sent)).toEqual(direct);
  return direct.status;
}

describe('an answer through a node is that of the replica, byte for byte', () => {
  test.each(DATA_URLS)('GET %s', async (path) => {
    expect(await expectSame({ path, headers: KEY })).toBeLessThan(500);
  });

  test.each<[number, string, Exchange]>([
    [200, 'HEAD', { method: 'HEAD', path: `/v1/token/${MINT}`, headers: KEY }],
    [200, 'the document', { path: '/openapi.json', headers: KEY }],
    [200, 'a page for agents', { path: '/llms.txt', headers: { 'x-request-id': 'same' } }],
    [
      200,
      'a key as a bearer token',
      {
        path: '/v1/tokens',
        headers: { authorization: `Bearer ${READ_KEY}`, 'x-request-id': 'same' },
      },
    ],
    [200, 'a chart', { path: '/udf/config', headers: KEY }],
    [401, 'no key', { path: '/v1/key', headers: { 'x-request-id': 'same' } }],
    [
      401,
      'two keys',
      { path: '/v1/key', headers: { 'x-api-key': [READ_KEY, ADMIN_KEY], 'x-request-id': 'same' } },
    ],
    [
      403,
      'a missing scope',
      { method: 'POST', path: '/v1/triggers/add', headers: { ...KEY, ...JSON_BODY }, body: '{}' },
    ],
    [404, 'an unknown path', { path: '/v1/nothing', headers: KEY }],
    [405, 'a wrong method', { method: 'PATCH', path: '/v1/tokens', headers: KEY }],
    [400, 'an undecodable path', { path: '/v1/token/%zz', headers: KEY }],
    [400, 'an unknown parameter', { path: '/v1/tokens?what=1', headers: KEY }],
    [400, 'a wrong slot', { path: '/v1/tokens', headers: { ...KEY, 'x-min-slot': 'soon' } }],
    [
      400,
      'broken JSON',
      { method: 'POST', path: '/v1/batch/prices', headers: { ...KEY, ...JSON_BODY }, body: '{' },
    ],
    [
      415,
      'a wrong media type',
      {
        method: 'POST',
        path: '/v1/batch/prices',
        headers: { ...KEY, 'content-type': 'text/csv' },
        body: 'a',
      },
    ],
    [
      413,
      'a large body',
      {
        method: 'POST',
        path: '/v1/batch/prices',
        headers: { ...KEY, ...JSON_BODY },
        body: `"${'x'.repeat(70_000)}"`,
      },
    ],
    [
      200,
      'a batch',
      {
        method: 'POST',
        path: '/v1/batch/prices',
        headers: { ...KEY, ...JSON_BODY },
        body: JSON.stringify({ addresses: [POOL] }),
      },
    ],
    [
      200,
      'a batch in chunks',
      {
        method: 'POST',
        path: '/v1/batch/prices',
        headers: { ...KEY, ...JSON_BODY, 'transfer-encoding': 'chunked' },
        body: JSON.stringify({ addresses: [POOL] }),
      },
    ],
    [400, 'a WebSocket without an upgrade', { path: '/v1/stream', headers: KEY }],
    [
      200,
      'a compressed answer',
      { path: `/openapi.json`, headers: { ...KEY, 'accept-encoding': 'gzip' } },
    ],
  ])('%i for %s', async (status, _, sent) => {
    expect(await expectSame(sent)).toBe(status);
  });

  test('what is left to a key goes down with each request, whichever way it takes', async () => {
    const left = async (origin: string) => {
      const { headers } = await exchange(origin, { path: '/v1/key', headers: KEY });
      return Number(headers['ratelimit-remaining']);
    };
    const before = await left(replica);
    expect([await left(stage.url), await left(replica)]).toEqual([before - 1, before - 2]);
  });

  test('dates are those of the replica', async () => {
    const { headers } = await exchange(stage.url, { path: '/v1/key', headers: KEY });
    expect(headers.date).toMatch(/GMT$/);
  });
});

describe('a request through a node', () => {
  test('for the health of the node is answered by the node', async () => {
    const ready = await exchange(stage.url, { path: '/readyz' });
    expect(JSON.parse(ready.body.toString())).toEqual({
      status: 'ready',
      checks: { [replica]: { ok: true, detail: 'ready' } },
    });
    expect((await exchange(stage.url, { path: '/livez' })).status).toBe(200);
    expect((await exchange(stage.url, { path: '/metrics' })).status).toBe(200);
  });
});
