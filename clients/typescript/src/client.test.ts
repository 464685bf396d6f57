import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { API_VERSION } from './api-version.ts';
import { type ClientOptions, MintscopeClient } from './client.ts';
import { ApiError, BadAnswerError, ConnectionError, VersionError } from './errors.ts';

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** A client of a server that answers so, and the requests that arrived. */
async function clientOf(answer: RequestListener, options: Partial<ClientOptions> = {}) {
  const requests: { readonly url: string; readonly atMs: number }[] = [];
  const server = createServer((request, response) => {
    requests.push({ url: request.url ?? '', atMs: performance.now() });
    answer(request, response);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return { client: new MintscopeClient({ baseUrl, key: 'k', ...options }), requests, baseUrl };
}

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };

/** Answers each request with the next of these; the last one again and again. */
function inTurn(...answers: readonly RequestListener[]): RequestListener {
  let next = 0;
  return (request, response) => {
    const answer = answers[Math.min(next++, answers.length - 1)];
    answer?.(request, response);
  };
}

const good: RequestListener = (_, response) =>
  response.writeHead(200, { ...JSON_TYPE, 'x-slot': '7', 'x-complete': 'false' }).end('{"a":"1"}');
const failing =
  (status: number, headers: Record<string, string> = {}): RequestListener =>
  (_, response) =>
    response
      .writeHead(status, { ...JSON_TYPE, 'x-request-id': 'r1', ...headers })
      .end(`{"code":${status},"message":"Because ${status}."}`);
const cut: RequestListener = (_, response) => {
  response.writeHead(200, { ...JSON_TYPE, 'content-length': '100' });
  response.write('{"a":');
  setTimeout(() => response.destroy(), 5);
};

const key = (client: MintscopeClient) => client.get('/v1/key');
const failureOf = (promise: Promise<unknown>) => promise.then(String, (error: unknown) => error);

describe('a request', () => {
  test('returns the data with what the answer says about them', async () => {
    const { client } = await clientOf(good);
    expect(await key(client)).toEqual({
      ...{ data: { a: '1' }, slot: 7, dataAgeMs: null, isComplete: false, requestId: null },
      ...{ apiVersion: null, deprecation: null },
    });
  });

  test('writes path and query so that no value can leave its place', async () => {
    const { client, requests } = await clientOf(good);
    await client.get('/v1/pools/{pair_address}', { path: { pair_address: '../a?b#c' } });
    await client.get('/v1/token/{token_address}/holders', {
      path: { token_address: 'm' },
      query: { limit: 5, cursor: 'a&b=c' },
    });
    expect(requests.map(({ url }) => url)).toEqual([
      '/v1/pools/..%2Fa%3Fb%23c',
      '/v1/token/m/holders?limit=5&cursor=a%26b%3Dc',
    ]);
  });

  test('fails with the sentence of the service, and is not repeated', async () => {
    const { client, requests } = await clientOf(failing(404));
    const error = await failureOf(key(client));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 404, message: 'Because 404.', requestId: 'r1' });
    expect(requests).toHaveLength(1);
  });

  test('that is refused for its rate waits as long as the service says, and others with it', async () => {
    const { client, requests } = await clientOf(inTurn(failing(429, { 'retry-after': '1' }), good));
    const first = client.post('/v1/batch/prices', { body: { addresses: [] } });
    while (requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await new Promise((resolve) => setTimeout(resolve, 50));
    await Promise.all([first, key(client)]);
    const [refused, ...later] = requests.map(({ atMs }) => atMs);
    expect(later).toHaveLength(2);
    for (const atMs of later) expect(atMs - (refused ?? 0)).toBeGreaterThanOrEqual(990);
  });

  test('is an error when the service asks for a longer wait than is allowed', async () => {
    const { client, requests } = await clientOf(failing(429, { 'retry-after': '3600' }));
    expect(await failureOf(key(client))).toMatchObject({ status: 429, retryAfterMs: 3_600_000 });
    expect(requests).toHaveLength(1);
  });

  test('is repeated while the service is busy, at most as often as allowed', async () => {
    const busy = failing(503, { 'retry-after': '0' });
    const { client, requests } = await clientOf(inTurn(busy, busy, good));
    expect((await key(client)).data).toEqual({ a: '1' });
    expect(requests).toHaveLength(3);
    const always = await clientOf(busy, { attempts: 2 });
    expect(await failureOf(key(always.client))).toMatchObject({ status: 503 });
    expect(always.requests).toHaveLength(2);
  });

  test('that changes something is not repeated after it may have been carried out', async () => {
    for (const answer of [cut, failing(503, { 'retry-after': '0' })]) {
      const { client, requests } = await clientOf(answer);
      const error = await failureOf(client.post('/v1/stream/ticket'));
      expect(error).toBeInstanceOf(Error);
      expect(requests).toHaveLength(1);
    }
  });

  test('ends with the reason of its signal, in flight and while it waits', async () => {
    const silent = await clientOf(() => undefined);
    const waiting = await clientOf(failing(429, { 'retry-after': '30' }));
    for (const { client } of [silent, waiting]) {
      const aborting = new AbortController();
      const result = failureOf(client.get('/v1/key', { signal: aborting.signal }));
      setTimeout(() => aborting.abort(new RangeError('enough')), 50);
      expect(await result).toEqual(new RangeError('enough'));
    }
  });
});

describe('a server that lies', () => {
  test('with a page of HTML and 500 is an error with its status, without the page', async () => {
    const { client } = await clientOf((_, response) =>
      response.writeHead(500, { 'content-type': 'text/html' }).end('<html>'.repeat(100_000)),
    );
    const error = await failureOf(key(client));
    expect(error).toMatchObject({ name: 'ApiError', status: 500 });
    expect((error as Error).message).toBe('The service answered 500 without a reason.');
  });

  test.each<[string, RequestListener]>([
    ['HTML and 200', (_, response) => response.setHeader('content-type', 'text/html').end('<p>')],
    ['JSON that is none', (_, response) => response.writeHead(200, JSON_TYPE).end('{"a":')],
  ])('with %s is a bad answer', async (_name, answer) => {
    const { client, requests } = await clientOf(answer);
    expect(await failureOf(key(client))).toBeInstanceOf(BadAnswerError);
    expect(requests).toHaveLength(1);
  });

  test('with a body that is cut is asked again', async () => {
    const { client, requests } = await clientOf(inTurn(cut, good));
    expect((await key(client)).data).toEqual({ a: '1' });
    expect(requests).toHaveLength(2);
    const always = await clientOf(cut, { attempts: 2 });
    expect(await failureOf(key(always.client))).toBeInstanceOf(ConnectionError);
  });

  test('with a body without end is cut off at the allowed size', async () => {
    const { client } = await clientOf(
      (_, response) => {
        response.writeHead(200, JSON_TYPE);
        const timer = setInterval(() => response.write(' '.repeat(65_536)), 1);
        response.on('close', () => clearInterval(timer));
      },
      { bytesMax: 1_000_000 },
    );
    expect(await failureOf(key(client))).toBeInstanceOf(BadAnswerError);
  });

  test('with a body that does not end is given up in time', async () => {
    const { client } = await clientOf(
      (_, response) => response.writeHead(200, JSON_TYPE).write('{'),
      {
        timeoutMs: 100,
        attempts: 1,
      },
    );
    expect(await failureOf(key(client))).toMatchObject({
      name: 'ConnectionError',
      message: 'No complete answer within 100 ms.',
    });
  });

  test('with a redirect does not get the key elsewhere', async () => {
    const other = await clientOf(good);
    const { client } = await clientOf(
      (_, response) => response.writeHead(307, { location: other.baseUrl }).end(),
      { attempts: 1 },
    );
    expect(await failureOf(key(client))).toBeInstanceOf(ConnectionError);
    expect(other.requests).toEqual([]);
  });
});

describe('versions', () => {
  const answering =
    (headers: Record<string, string>): RequestListener =>
    (_, response) =>
      response.writeHead(200, { ...JSON_TYPE, ...headers }).end('{"a":"1","of_later":{"x":1}}');

  const [major] = API_VERSION.split('.');

  test.each([
    [API_VERSION, 'same'],
    [`${major}.999999.0`, 'service-newer'],
    ['new', 'unknown'],
  ])(
    'a service of version %s answers, and the difference is a value: %s',
    async (service, relation) => {
      const { client } = await clientOf(answering({ 'x-api-version': service }));
      expect(client.versions).toMatchObject({ service: null, relation: 'unknown' });
      const { data, apiVersion } = await key(client);
      expect([data, apiVersion]).toEqual([{ a: '1', of_later: { x: 1 } }, service]);
      expect(client.versions).toMatchObject({ service, relation });
    },
  );

  test('another major version is an error that says what to do, and is not asked again', async () => {
    const { client, requests } = await clientOf(answering({ 'x-api-version': '7.0.0' }));
    const error = await failureOf(key(client));
    expect(error).toBeInstanceOf(VersionError);
    expect(String(error)).toMatch(/install a client of version 7[.]$/);
    expect(requests).toHaveLength(1);
  });

  test('the client says which one it is', async () => {
    let sent: unknown;
    const { client } = await clientOf((request, response) => {
      sent = request.headers['x-client-version'];
      good(request, response);
    });
    await key(client);
    expect(sent).toMatch(/^mintscope-typescript\/\d+\.\d+\.\d+$/);
  });

  test('a deprecation is a value of the answer; times that are none are null', async () => {
    const announced = { deprecation: '@1796083200', sunset: 'Thu, 01 Jul 2027 00:00:00 GMT' };
    const { client } = await clientOf(
      inTurn(answering(announced), answering({ deprecation: 'true', sunset: 'never' })),
    );
    expect((await key(client)).deprecation).toEqual({
      sinceMs: Date.UTC(2026, 11, 1),
      untilMs: Date.UTC(2027, 6, 1),
    });
    expect((await key(client)).deprecation).toEqual({ sinceMs: null, untilMs: null });
  });
});

describe('pages', () => {
  const page =
    (cursor: string | null, ...trades: readonly string[]): RequestListener =>
    (_, response) =>
      response.writeHead(200, JSON_TYPE).end(JSON.stringify({ trades, next_cursor: cursor }));

  async function all(answer: RequestListener) {
    const { client, requests } = await clientOf(answer);
    const items: unknown[] = [];
    const run = async () => {
      for await (const item of client.items('/v1/trades', { query: { limit: 2 } }))
        items.push(item);
    };
    return { error: await run().catch((error: unknown) => error), items, requests };
  }

  test('are read to the last one, each once, in order', async () => {
    const { items, requests, error } = await all(
      inTurn(page('p2', 'a', 'b'), page('p3'), page(null, 'c')),
    );
    expect([error, items]).toEqual([undefined, ['a', 'b', 'c']]);
    expect(requests.map(({ url }) => url)).toEqual([
      '/v1/trades?limit=2',
      '/v1/trades?limit=2&cursor=p2',
      '/v1/trades?limit=2&cursor=p3',
    ]);
  });

  test('are read no further than they are used', async () => {
    const { client, requests } = await clientOf(page('p2', 'a'));
    for await (const item of client.items('/v1/trades', {})) if (item !== undefined) break;
    expect(requests).toHaveLength(1);
  });

  test('that lead in a circle end with an error', async () => {
    const { error } = await all(inTurn(page('p2', 'a'), page('p3', 'b'), page('p2', 'c')));
    expect(error).toBeInstanceOf(BadAnswerError);
  });

  test.each(['null', '[]', '7', '{}', '{"next_cursor":7}', '{"trades":{},"next_cursor":null}'])(
    'with the body %s are a bad answer',
    async (body) => {
      const { error } = await all((_, response) => response.writeHead(200, JSON_TYPE).end(body));
      expect(error).toBeInstanceOf(BadAnswerError);
    },
  );
});
