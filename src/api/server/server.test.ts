import { Agent, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { describe, expect, test } from 'vitest';
import {
  asOfFakeSlot,
  fakeApiDeps,
  MINT,
  READ_KEY,
  WRITE_KEY,
} from '../../../tests/support/fake-api-deps.ts';
import {
  DATA_URLS,
  fakeApiServer,
  getAsReader,
  sendAs,
  sharedApiServer,
} from '../../../tests/support/fake-api-server.ts';
import { createLogger } from '../logger.ts';

let withBundles: FastifyInstance | null = null;

function serverWithBundles() {
  withBundles ??= createServerWithBundles();
  return withBundles;
}

function createServerWithBundles() {
  const item = { signature: 's', owner: MINT, lamports: 1n };
  const bundles = { page: async () => asOfFakeSlot({ items: [item], total: 1 }) };
  return fakeApiServer({
    bundles: bundles as unknown as ReturnType<typeof fakeApiDeps>['bundles'],
  });
}

describe('methods and paths', () => {
  const wrongMethods = ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'] as const;
  test.each(DATA_URLS.flatMap((url) => wrongMethods.map((method) => [method, url] as const)))(
    'answers 405 with the allowed methods for %s %s',
    async (method, url) => {
      const response = await sendAs(sharedApiServer(), method, url, READ_KEY);
      expect(response.statusCode).toBe(405);
      expect(response.headers.allow).toBe('GET, HEAD');
      expect(response.json()).toEqual({ code: 405, message: 'This path answers only GET, HEAD.' });
    },
  );

  test.each(['/v1', '/v1/token', `/v1/token/${MINT}/`, '/V1/market/ohlc', '//v1/market/ohlc'])(
    'answers 404 for %s',
    async (url) => {
      const response = await getAsReader(sharedApiServer(), url);
      expect(response.statusCode).toBe(404);
      expect(response.json()).toEqual({ code: 404, message: 'There is no such path.' });
    },
  );

  test('answers a wrong method on a public path without a key', async () => {
    for (const path of ['/', '/livez']) {
      expect((await sendAs(fakeApiServer(), 'POST', path)).statusCode).toBe(405);
    }
  });

  test('answers 405 before reading a body', async () => {
    for (const contentType of ['application/json', 'text/xml']) {
      const response = await fakeApiServer().inject({
        method: 'POST',
        url: '/v1/market/ohlc',
        headers: { 'x-api-key': READ_KEY, 'content-type': contentType },
        payload: '{ no json',
      });
      expect(response.statusCode).toBe(405);
    }
  });

  test.each(DATA_URLS)('answers HEAD %s like GET, without the body', async (url) => {
    const server = serverWithBundles();
    const got = await sendAs(server, 'GET', url, READ_KEY);
    const head = await sendAs(server, 'HEAD', url, READ_KEY);
    expect(head.statusCode).toBe(200);
    expect(head.body).toBe('');
    expect(head.headers['content-length']).toBe(got.headers['content-length']);
    expect(head.headers['x-slot']).toBe('300000000');
  });
});

describe('A-05 A-09 bodies', () => {
  const post = (payload: string, contentType: string | null) => {
    const server = fakeApiServer();
    server.post('/v1/echo', async ({ body }) => ({ got: Array.isArray(body) ? 'a list' : body }));
    const headers = { 'x-api-key': READ_KEY };
    return server.inject({
      method: 'POST',
      url: '/v1/echo',
      headers: contentType === null ? headers : { ...headers, 'content-type': contentType },
      payload,
    });
  };

  test.each(['application/json', 'application/json\t;', ' application/json; charset=utf-8'])(
    'are read as %j',
    async (contentType) => {
      expect((await post('{"a":1}', contentType)).json()).toEqual({ got: { a: 1 } });
    },
  );

  test.each([
    ['no JSON', '{', 'application/json', 400, 'The request is malformed.'],
    ['empty', '', 'application/json', 400, 'The request is malformed.'],
    [
      'a prototype',
      '{"__proto__":{"admin":true}}',
      'application/json',
      400,
      'The request is malformed.',
    ],
    [
      'a constructor',
      '{"constructor":{"prototype":{}}}',
      'application/json',
      400,
      'The request is malformed.',
    ],
    [
      '64 KiB and a byte',
      `"${'x'.repeat(65_535)}"`,
      'application/json',
      413,
      'The request body is too large.',
    ],
    ['text', 'hello', 'text/plain', 415, 'The request body must be application/json.'],
    ['XML', '<a/>', 'application/xml', 415, 'The request body must be application/json.'],
    ['of no type', '{}', null, 415, 'The request body must be application/json.'],
    [
      'of a type that is none',
      '{}',
      'application/json/x',
      415,
      'The request body must be application/json.',
    ],
  ])('that are %s are refused', async (_what, payload, contentType, code, message) => {
    const response = await post(payload, contentType);
    expect(response.statusCode).toBe(code);
    expect(response.body).toBe(JSON.stringify({ code, message }));
  });

  test('may be nested ten thousand levels deep', async () => {
    const payload = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;
    expect((await post(payload, 'application/json')).json()).toEqual({ got: 'a list' });
  });
});

describe('A-08 internal errors', () => {
  const broken = (): never => {
    throw new Error(`secret detail ${READ_KEY}`);
  };
  const rejected = async (): Promise<never> => broken();

  /** A server all of whose reads fail. */
  const failing = () => {
    const deps = fakeApiDeps();
    return fakeApiServer({
      tokens: {
        find: broken,
        withHolders: broken,
        holderPage: rejected,
        topTraders: rejected,
        firstBuyers: rejected,
        holderCounts: rejected,
        search: rejected,
      },
      pools: { find: broken, withIndicators: broken, list: rejected, listing: rejected },
      wallets: {
        find: rejected,
        positions: rejected,
        links: rejected,
        createdTokens: rejected,
      },
      bundles: { page: rejected, groups: rejected },
      fraud: {
        check: rejected,
        checkWithHits: rejected,
        find: rejected,
        graph: rejected,
        list: rejected,
        listWithHits: rejected,
        review: rejected,
      },
      signals: { list: rejected, listWithRules: rejected, statistics: rejected, find: rejected },
      social: { tracked: broken, values: broken, posts: broken, import: rejected },
      chain: { ...deps.chain, readiness: rejected },
      metrics: { ...deps.metrics, render: rejected },
    });
  };
  let server: FastifyInstance | null = null;

  test.each([...DATA_URLS, '/readyz', '/metrics'])('are one generic 500: %s', async (url) => {
    server ??= failing();
    const response = await getAsReader(server, url);
    expect(response.statusCode).toBe(500);
    expect(response.body).toBe('{"code":500,"message":"Internal server error."}');
  });

  test('are a 500 too when the key store fails', async () => {
    const response = await getAsReader(fakeApiServer({ keys: { authenticate: broken } }), '/v1');
    expect(response.statusCode).toBe(500);
  });

  test('are logged with the request’s id, and requests without keys or URLs', async () => {
    let log = '';
    const destination = {
      write(line: string) {
        log += line;
      },
    };
    const logger = createLogger({ level: 'debug', destination });
    const pools = {
      ...fakeApiDeps().pools,
      find: () => null,
      withIndicators: () => {
        throw new Error('pool store is gone');
      },
    };
    const server = fakeApiServer({ pools }, { logger });
    const headers = { 'x-api-key': READ_KEY, 'x-request-id': 'trace-1' };
    await server.inject({ url: DATA_URLS[1] ?? '', headers });
    await server.inject({ url: `/v1/token/${MINT}?x-key=${WRITE_KEY}`, headers });
    const lines = log
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
    expect(lines).toMatchObject([
      {
        level: 'error',
        requestId: 'trace-1',
        msg: 'request failed',
        err: { message: 'pool store is gone', stack: expect.stringContaining('current.ts') },
      },
      { level: 'debug', requestId: 'trace-1', route: '/v1/indicators/current', status: 500 },
      { level: 'debug', requestId: 'trace-1', route: '/v1/token/:token_address', status: 200 },
    ]);
    for (const secret of [READ_KEY, WRITE_KEY, MINT]) expect(log).not.toContain(secret);
  });

  test('are not caused by an invalid Host header', async () => {
    const response = await fakeApiServer().inject({ url: '/docs/api', headers: { host: '%%%' } });
    expect(response.statusCode).toBe(400);
    expect(response.json()).toEqual({ code: 400, message: 'The request is malformed.' });
  });
});

describe('headers', () => {
  const everyKind = [...DATA_URLS, '/v1/token/x', '/v1/token/%zz', '/nothing', '/livez', '/docs/'];

  test.each(everyKind)(
    'of every response contain the request ID and restrict browsers: %s',
    async (url) => {
      const { headers } = await sharedApiServer().inject({
        url,
        headers: { 'x-api-key': READ_KEY, 'x-request-id': 'mine' },
      });
      expect(headers).toMatchObject({
        'x-request-id': 'mine',
        'x-api-version': '1.2.3',
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.stringContaining("default-src 'none'"),
      });
      expect(headers).not.toHaveProperty('access-control-allow-origin');
      expect(headers).not.toHaveProperty('x-powered-by');
    },
  );

  test.each(['mintscope-python/0.0.1', 'mintscope-typescript/99.0.0', 'anything', ''])(
    'of a request may name any client, which is answered like others: %s',
    async (client) => {
      const headers = { 'x-api-key': READ_KEY, 'x-client-version': client };
      const { statusCode } = await sharedApiServer().inject({ url: DATA_URLS[0], headers });
      expect(statusCode).toBe(200);
    },
  );

  test.each(DATA_URLS)('of data say as of which slot it is: %s', async (url) => {
    const { headers } = await getAsReader(serverWithBundles(), url);
    expect(headers).toMatchObject({
      'x-slot': '300000000',
      'x-data-age-ms': '1000',
      'x-complete': 'true',
      'content-type': 'application/json; charset=utf-8',
    });
  });

  test('of data say when a gap is known, and claim no slot before the first', async () => {
    const deps = fakeApiDeps();
    const freshness = () => ({ slot: null, timeMs: null, isComplete: false });
    const server = fakeApiServer({ chain: { ...deps.chain, freshness } });
    const { headers } = await getAsReader(server, `/v1/token/${MINT}`);
    expect(headers['x-complete']).toBe('false');
    expect(headers).not.toHaveProperty('x-slot');
    expect(headers).not.toHaveProperty('x-data-age-ms');
  });

  test.each([3_600_000, -3_600_000])(
    'report the monotonic age of data when the clock was set by %i ms',
    async (stepMs) => {
      const { nowMs } = fakeApiDeps();
      const server = fakeApiServer({ nowMs: () => nowMs() + stepMs });
      const { headers } = await getAsReader(server, `/v1/token/${MINT}`);
      expect(headers['x-data-age-ms']).toBe('1000');
    },
  );

  test('never report a negative age of data', async () => {
    const { chain } = fakeApiDeps();
    const justCame = { ...chain, sinceSlotMs: () => 0 };
    const server = fakeApiServer({ nowMs: () => 0, steadyNowMs: () => 0, chain: justCame });
    expect((await getAsReader(server, `/v1/token/${MINT}`)).headers['x-data-age-ms']).toBe('0');
  });

  test('report at least the age since arrival, regardless of the clocks', async () => {
    const { chain } = fakeApiDeps();
    const cameLongAgo = { ...chain, sinceSlotMs: () => 90_000.4 };
    const server = fakeApiServer({ nowMs: () => 0, steadyNowMs: () => 0, chain: cameLongAgo });
    const { headers } = await getAsReader(server, `/v1/token/${MINT}`);
    expect(headers['x-data-age-ms']).toBe('90000');
  });
});

describe('connections beyond the bound', () => {
  /** A client that keeps its one connection, and the answers it gets. */
  function dial(port: number, key?: string) {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const headers = key === undefined ? {} : { 'x-api-key': key };
    const ask = (path: string) =>
      new Promise<number | string | undefined>((resolve) => {
        get({ host: '127.0.0.1', port, path, agent, headers }, (answer) => {
          answer.resume().on('end', () => resolve(answer.statusCode));
        }).on('error', ({ message }) => resolve(message));
      });
    const connections = () => Object.values(agent.freeSockets).flat().length;
    return { ask, connections, close: () => agent.destroy() };
  }

  test('displace one that made only public requests, not one with a key', async () => {
    const server = fakeApiServer({}, { connectionsMax: 2 });
    await server.listen({ port: 0, host: '127.0.0.1' });
    const { port } = server.server.address() as AddressInfo;
    const holder = dial(port, READ_KEY);
    const stranger = dial(port);
    const newcomer = dial(port);
    expect(await holder.ask('/v1/coverage')).toBe(200);
    expect(await stranger.ask('/livez')).toBe(200);
    expect(await newcomer.ask('/livez')).toBe(200);
    const held = () => [holder, stranger, newcomer].map((client) => client.connections());
    await expect.poll(held, { timeout: 120_000 }).toEqual([1, 0, 1]);
    for (const client of [holder, stranger, newcomer]) client.close();
    await server.close();
  });
});
