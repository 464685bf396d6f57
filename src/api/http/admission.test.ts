import { describe, expect, test } from 'vitest';
import {
  ADMIN_KEY,
  fakeKey,
  MINT,
  READ_KEY,
  REVIEW_KEY,
  WRITE_KEY,
} from '../../../tests/support/fake-api-deps.ts';
import {
  DATA_URLS,
  fakeApiServer,
  getAsReader,
  METHODS,
  sendAs,
  sharedApiServer,
} from '../../../tests/support/fake-api-server.ts';

const NO_KEY = {
  code: 401,
  message: 'A valid API key is required, in the header X-API-Key or as Authorization: Bearer.',
};

test('refusals beyond fifty in a second are complete answers that come a second later', async () => {
  const server = fakeApiServer({ nowMs: () => 1_700_000_000_000 });
  const refuse = () => sendAs(server, 'GET', '/v1/token/x', 'unknown');
  const prompt = await Promise.all(Array.from({ length: 50 }, refuse));
  expect(new Set(prompt.map(({ statusCode }) => statusCode))).toEqual(new Set([401]));
  const startMs = performance.now();
  const late = await refuse();
  expect(performance.now() - startMs).toBeGreaterThan(900);
  expect([late.statusCode, late.json()]).toEqual([401, NO_KEY]);
  const undecodable = await sendAs(server, 'GET', '/v1/token/%zz', 'unknown');
  expect(undecodable.statusCode).toBe(401);
  expect(performance.now() - startMs).toBeGreaterThan(1_900);
  expect((await getAsReader(server, '/v1/token/x')).statusCode).toBe(400);
});

describe('A-01 authentication', () => {
  const wrongUrls = ['/v1/token/x', '/v1/token/%zz', '/v1/market/ohlc?interval=2m', '/nothing'];

  test.each([...DATA_URLS, ...wrongUrls])('comes before everything else: %s', async (url) => {
    const server = fakeApiServer();
    for (const method of METHODS) {
      for (const key of [undefined, 'unknown']) {
        const response = await sendAs(server, method, url, key);
        expect(response.statusCode).toBe(401);
        expect(response.headers['www-authenticate']).toBe('ApiKey, Bearer');
        if (method !== 'HEAD') expect(response.json()).toEqual(NO_KEY);
      }
    }
  });

  test.each([
    ['empty', ''],
    ['too long', 'k'.repeat(201)],
    ['given twice', `${READ_KEY}, ${READ_KEY}`],
    ['with a space', `${READ_KEY} `.repeat(2)],
    ['not ASCII', 'clé'],
  ])('does not look up a key that is %s', async (_what, key) => {
    const asked: string[] = [];
    const authenticate = (presented: string) => {
      asked.push(presented);
      return fakeKey('any', ['read']);
    };
    const server = fakeApiServer({ keys: { authenticate } });
    const response = await sendAs(server, 'GET', `/v1/token/${MINT}`, key);
    expect(response.statusCode).toBe(401);
    expect(asked).toEqual([]);
  });

  test('looks up a key of 200 characters', async () => {
    const longest = 'k'.repeat(200);
    const authenticate = (presented: string) =>
      presented === longest ? fakeKey('long', ['read']) : null;
    const server = fakeApiServer({ keys: { authenticate } });
    expect((await sendAs(server, 'GET', `/v1/token/${MINT}`, longest)).statusCode).toBe(200);
  });

  test.each(DATA_URLS)('answers 403 for a key that may not read %s', async (url) => {
    const response = await sendAs(sharedApiServer(), 'GET', url, WRITE_KEY);
    expect(response.statusCode).toBe(403);
    expect(response.json()).toEqual({
      code: 403,
      message: 'This API key does not have the scope read.',
    });
  });

  test.each(['/v1/triggers', '/v1/triggers/firings', '/v1/webhooks'])(
    'lets a key that may write triggers read those of its account: %s',
    async (url) => {
      const server = sharedApiServer();
      for (const key of [WRITE_KEY, READ_KEY, ADMIN_KEY]) {
        expect((await sendAs(server, 'GET', url, key)).statusCode).toBe(200);
      }
      expect((await sendAs(server, 'GET', url, REVIEW_KEY)).statusCode).toBe(403);
    },
  );

  test.each(DATA_URLS)('lets the scope admin read everything: %s', async (url) => {
    const response = await sendAs(sharedApiServer(), 'GET', url, ADMIN_KEY);
    expect(response.statusCode).not.toBe(403);
  });

  test('answers 403 before a wrong method or parameter', async () => {
    const server = fakeApiServer();
    expect((await sendAs(server, 'POST', '/v1/token/x', WRITE_KEY)).statusCode).toBe(403);
    expect((await sendAs(server, 'GET', '/v1/token/x', WRITE_KEY)).statusCode).toBe(403);
  });

  test('never takes a key from the URL', async () => {
    const response = await fakeApiServer().inject(`/v1/token/${MINT}?api_key=${READ_KEY}`);
    expect(response.statusCode).toBe(401);
  });
});

describe('A-16 rate limit', () => {
  const limit = { rateLimitPerMinute: 60, rateLimitBurst: 3 };

  test('allows a burst, then answers 429 until a request is available again', async () => {
    let nowMs = 1_000_000;
    const server = fakeApiServer({ nowMs: () => nowMs }, limit);
    const answers = [];
    for (let sent = 0; sent < 4; sent++) answers.push(await getAsReader(server, '/v1/token/x'));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([400, 400, 400, 429]);
    expect(answers.map(({ headers }) => headers['ratelimit-remaining'])).toEqual([
      '2',
      '1',
      '0',
      '0',
    ]);
    expect(answers[3]?.json()).toEqual({
      code: 429,
      message: 'Too many requests for this API key.',
    });
    expect(answers[3]?.headers).toMatchObject({
      'ratelimit-limit': '60',
      'ratelimit-policy': '60;w=60;burst=3',
      'ratelimit-reset': '3',
      'retry-after': '1',
    });
    nowMs += 1_000;
    expect((await getAsReader(server, '/v1/token/x')).statusCode).toBe(400);
  });

  test('counts every response to a valid key once', async () => {
    const server = fakeApiServer({}, { rateLimitPerMinute: 60, rateLimitBurst: 100 });
    const left: unknown[] = [];
    const urls = [`/v1/token/${MINT}`, '/nothing', '/v1/token/%zz'];
    for (const url of urls) {
      for (const method of ['GET', 'HEAD', 'POST'] as const) {
        const { headers } = await sendAs(server, method, url, READ_KEY);
        left.push(headers['ratelimit-remaining']);
      }
    }
    expect(left).toEqual(['99', '98', '97', '96', '95', '94', '93', '92', '91']);
  });

  test('is per key and not per address', async () => {
    const server = fakeApiServer({}, limit);
    const ask = (remoteAddress: string, key: string) =>
      server.inject({ url: '/nothing', remoteAddress, headers: { 'x-api-key': key } });
    for (const last of [1, 2, 3]) {
      expect((await ask(`192.0.2.${last}`, READ_KEY)).statusCode).toBe(404);
    }
    expect((await ask('192.0.2.4', READ_KEY)).statusCode).toBe(429);
    expect((await ask('192.0.2.1', WRITE_KEY)).headers['ratelimit-remaining']).toBe('2');
  });

  test('does not apply to public paths and refused keys', async () => {
    const server = fakeApiServer({}, limit);
    for (const response of [await server.inject('/livez'), await server.inject('/nothing')]) {
      expect(response.headers).not.toHaveProperty('ratelimit-remaining');
    }
  });
});
