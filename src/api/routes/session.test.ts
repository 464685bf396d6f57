import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  fakeApiDeps,
  NOW_MS,
  READ_KEY,
  REVIEW_KEY,
  WRITE_KEY,
} from '../../../tests/support/fake-api-deps.ts';
import { fakeApiServer } from '../../../tests/support/fake-api-server.ts';
import { refusalOf, StreamReader } from '../../../tests/support/stream-reader.ts';
import type { ApiDeps } from '../deps.ts';
import type { ServerOptions } from '../server/server-options.ts';

const HOST = 'service.example';
const ORIGIN = `https://${HOST}`;

const servers: ReturnType<typeof fakeApiServer>[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const server of servers.splice(0)) await server.close();
});

function serverOf(deps: Partial<ApiDeps> = {}, options: Partial<ServerOptions> = {}) {
  const server = fakeApiServer(deps, options);
  servers.push(server);
  return server;
}

type Server = ReturnType<typeof serverOf>;

/** Begins a session and returns its cookie, as a browser sends it. */
async function beginSession(server: Server, key = READ_KEY, host = HOST): Promise<string> {
  const answer = await server.inject({
    method: 'POST',
    url: '/v1/session',
    headers: { 'x-api-key': key, host },
  });
  expect(answer.statusCode).toBe(201);
  return String(answer.headers['set-cookie']).split(';')[0] ?? '';
}

const request = (
  server: Server,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  url: string,
  headers: Record<string, string>,
) => server.inject({ method, url, headers: { host: HOST, ...headers } });

describe('POST /v1/session', () => {
  test('sets a cookie that pages cannot read and other sites cannot use, for 12 hours', async () => {
    const headers = { 'x-api-key': READ_KEY };
    const answer = await request(serverOf(), 'POST', '/v1/session', headers);
    expect(answer.statusCode).toBe(201);
    expect(answer.headers['set-cookie']).toMatch(
      /^mintscope_session=[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict; Secure$/,
    );
    expect(answer.json()).toEqual({
      account: 'account of reader',
      scopes: ['read'],
      expires_at: new Date(NOW_MS + 12 * 3_600_000).toISOString(),
    });
  });

  test.each(['localhost:8080', '127.0.0.1', '[::1]:8080'])(
    'sets a cookie for connections without encryption on this machine: %s',
    async (host) => {
      const headers = { 'x-api-key': READ_KEY, host };
      const answer = await serverOf().inject({ method: 'POST', url: '/v1/session', headers });
      expect(answer.headers['set-cookie']).toMatch(/SameSite=Strict$/);
    },
  );

  test.each(['localhost.example', '127.0.0.1.example', '10.0.0.7'])(
    'sets a secure cookie for any other host: %s',
    async (host) => {
      const headers = { 'x-api-key': READ_KEY, host };
      const answer = await serverOf().inject({ method: 'POST', url: '/v1/session', headers });
      expect(answer.headers['set-cookie']).toMatch(/; Secure$/);
    },
  );

  test('needs a valid key in the header, not another session', async () => {
    const server = serverOf();
    const cookie = await beginSession(server);
    const status = async (headers: Record<string, string>) =>
      (await request(server, 'POST', '/v1/session', headers)).statusCode;
    expect(await status({})).toBe(401);
    expect(await status({ 'x-api-key': 'tik_wrong' })).toBe(401);
    expect(await status({ cookie, origin: ORIGIN })).toBe(400);
  });

  test('keeps the newest hundred sessions of an account', async () => {
    const server = serverOf();
    const other = await beginSession(server, REVIEW_KEY);
    const first = await beginSession(server);
    const second = await beginSession(server);
    for (let count = 2; count < 101; count++) await beginSession(server);
    const status = async (cookie: string) =>
      (await request(server, 'GET', '/v1/key', { cookie })).statusCode;
    expect([await status(first), await status(second), await status(other)]).toEqual([
      401, 200, 200,
    ]);
  });
});

describe('a session', () => {
  test('stands for its key: account, scopes and requests left', async () => {
    const server = serverOf();
    const cookie = await beginSession(server);
    const answer = await request(server, 'GET', '/v1/key', { cookie: `a=b; ${cookie}; c=d` });
    expect(answer.json()).toMatchObject({ account: 'account of reader', scopes: ['read'] });
    const scoped = await beginSession(server, REVIEW_KEY);
    expect((await request(server, 'GET', '/v1/tokens', { cookie: scoped })).statusCode).toBe(403);
  });

  test('is not used when a key is presented', async () => {
    const server = serverOf();
    const cookie = await beginSession(server);
    const headers = { cookie, 'x-api-key': WRITE_KEY };
    expect((await request(server, 'GET', '/v1/key', headers)).json()).toMatchObject({
      account: 'account of writer',
    });
    const wrong = { cookie, 'x-api-key': 'tik_wrong' };
    expect((await request(server, 'GET', '/v1/key', wrong)).statusCode).toBe(401);
  });

  test.each([
    ['no Origin', {}],
    ['a foreign Origin', { origin: 'https://evil.example' }],
    ['an Origin of another scheme and port', { origin: `http://${HOST}:8080` }],
    ['an Origin of a subdomain', { origin: `https://a.${HOST}` }],
    ['an Origin that only begins like this one', { origin: `${ORIGIN}.evil.example` }],
    ['an Origin with user information', { origin: `https://${HOST}@evil.example` }],
    ['an opaque Origin', { origin: 'null' }],
    ['an Origin allowed to use keys', { origin: 'https://app.example' }],
  ])('changes nothing for a request with %s', async (_, headers) => {
    const server = serverOf({}, { corsOrigins: ['https://app.example'] });
    const cookie = await beginSession(server, WRITE_KEY);
    for (const [method, url] of [
      ['DELETE', '/v1/session'],
      ['POST', '/v1/stream/ticket'],
      ['POST', '/v1/triggers/add'],
      ['PUT', '/v1/triggers/update'],
      ['DELETE', '/v1/triggers/remove?trigger_id=a'],
    ] as const) {
      const answer = await request(server, method, url, { cookie, ...headers });
      expect([url, answer.statusCode]).toEqual([url, 403]);
    }
    // The session goes on.
    expect((await request(server, 'GET', '/v1/key', { cookie })).statusCode).toBe(200);
  });

  test.each([ORIGIN, `http://${HOST}`])(
    'may change things from its own page: %s',
    async (origin) => {
      const server = serverOf();
      const cookie = await beginSession(server, WRITE_KEY);
      const url = '/v1/triggers/remove?trigger_id=a';
      const answer = await request(server, 'DELETE', url, { cookie, origin });
      // There is no such trigger.
      expect(answer.statusCode).toBe(404);
    },
  );

  test('ends after 12 hours, with its key, and when it is ended', async () => {
    let nowMs = NOW_MS;
    let isRevoked = false;
    const { keys } = fakeApiDeps();
    const server = serverOf({
      nowMs: () => nowMs,
      keys: { authenticate: (text) => (isRevoked ? null : keys.authenticate(text)) },
    });
    const status = async (cookie: string) =>
      (await request(server, 'GET', '/v1/key', { cookie })).statusCode;
    const ended = await beginSession(server);
    const end = { cookie: ended, origin: ORIGIN };
    const answer = await request(server, 'DELETE', '/v1/session', end);
    expect([answer.statusCode, answer.body]).toEqual([204, '']);
    expect(answer.headers['set-cookie']).toMatch(/^mintscope_session=; Path=\/; Max-Age=0;/);
    expect(await status(ended)).toBe(401);
    const late = await beginSession(server);
    nowMs += 12 * 3_600_000 - 1;
    expect(await status(late)).toBe(200);
    nowMs += 1;
    expect(await status(late)).toBe(401);
    const revoked = await beginSession(server);
    isRevoked = true;
    expect(await status(revoked)).toBe(401);
    isRevoked = false;
    // A key that becomes valid again does not revive it.
    expect(await status(revoked)).toBe(401);
  });

  test.each([
    ['a guess', `mintscope_session=${'A'.repeat(43)}`],
    ['an empty value', 'mintscope_session='],
    ['a key', `mintscope_session=${READ_KEY}`],
  ])('is not %s', async (_, cookie) => {
    const answer = await request(serverOf(), 'GET', '/v1/key', { cookie });
    expect(answer.statusCode).toBe(401);
  });

  test('is not used if there are several cookies of its name', async () => {
    const server = serverOf();
    const cookies = [await beginSession(server), await beginSession(server)];
    const answer = await request(server, 'GET', '/v1/key', { cookie: cookies.join('; ') });
    expect(answer.statusCode).toBe(401);
  });

  test('cannot be ended by a request without one', async () => {
    const headers = { 'x-api-key': READ_KEY };
    expect((await request(serverOf(), 'DELETE', '/v1/session', headers)).statusCode).toBe(404);
  });

  test('is never logged', async () => {
    let log = '';
    const logger = pino(
      { level: 'trace' },
      {
        write: (line: string) => {
          log += line;
        },
      },
    );
    const server = serverOf({}, { logger });
    const cookie = await beginSession(server);
    await request(server, 'GET', '/v1/key', { cookie });
    await request(server, 'POST', '/v1/stream/ticket', { cookie });
    expect(log).toContain('/v1/key');
    expect(log).not.toContain(cookie.split('=')[1]);
  });
});

describe('POST /v1/stream/ticket', () => {
  async function listening(deps: Partial<ApiDeps> = {}) {
    const server = serverOf(deps);
    await server.listen({ port: 0, host: '127.0.0.1' });
    const { port } = server.server.address() as AddressInfo;
    return { server, host: `127.0.0.1:${port}`, url: `ws://127.0.0.1:${port}` };
  }

  async function ticketOf(server: Server, headers: Record<string, string>): Promise<string> {
    const answer = await server.inject({ method: 'POST', url: '/v1/stream/ticket', headers });
    expect(answer.statusCode).toBe(201);
    return answer.json().ticket;
  }

  test('opens one WebSocket, of the account that it was issued to', async () => {
    const asked: string[] = [];
    const { streams } = fakeApiDeps();
    const triggers = (accountId: string) => {
      asked.push(accountId);
      return streams.triggers(accountId);
    };
    const { server, url } = await listening({ streams: { ...streams, triggers } });
    const ticket = await ticketOf(server, { 'x-api-key': READ_KEY });
    const path = `${url}/v1/triggers/ws?ticket=${ticket}`;
    const reader = await StreamReader.open(path, null);
    expect(asked).toEqual(['account of reader']);
    await reader.close();
    expect(await refusalOf(path, {})).toMatchObject({ status: 401 });
  });

  test('expires after a minute', async () => {
    let nowMs = NOW_MS;
    const { server, url } = await listening({ nowMs: () => nowMs });
    const tickets = [1, 2].map(() => ticketOf(server, { 'x-api-key': READ_KEY }));
    const [first, second] = await Promise.all(tickets);
    nowMs += 59_999;
    await (await StreamReader.open(`${url}/v1/stream?ticket=${first}`, null)).close();
    nowMs += 1;
    expect(await refusalOf(`${url}/v1/stream?ticket=${second}`, {})).toMatchObject({ status: 401 });
  });

  test('has the scopes of its key', async () => {
    const { server, url } = await listening();
    const refused = await server.inject({
      method: 'POST',
      url: '/v1/stream/ticket',
      headers: { 'x-api-key': REVIEW_KEY },
    });
    expect(refused.statusCode).toBe(403);
    const ticket = await ticketOf(server, { 'x-api-key': READ_KEY });
    const twice = `${url}/v1/stream?ticket=${ticket}&ticket=${ticket}`;
    expect(await refusalOf(twice, {})).toMatchObject({ status: 401 });
  });

  test('is no key of other requests', async () => {
    const { server, host } = await listening();
    const ticket = await ticketOf(server, { 'x-api-key': READ_KEY });
    const answer = await server.inject({ url: `/v1/key?x-ticket=${ticket}`, headers: { host } });
    expect(answer.statusCode).toBe(401);
    const asKey = await server.inject({ url: '/v1/key', headers: { 'x-api-key': ticket } });
    expect(asKey.statusCode).toBe(401);
  });

  test('ends with the session that it was created by, and so does the stream it opened', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const { server, host, url } = await listening();
    const cookie = await beginSession(server, READ_KEY, host);
    const own = { cookie, origin: `http://${host}`, host };
    const [used, unused] = [await ticketOf(server, own), await ticketOf(server, own)];
    const reader = await StreamReader.open(`${url}/v1/stream?ticket=${used}`, null);
    await server.inject({ method: 'DELETE', url: '/v1/session', headers: own });
    vi.advanceTimersByTime(5_000);
    expect(await reader.closed).toBe(1008);
    expect(await refusalOf(`${url}/v1/stream?ticket=${unused}`, {})).toMatchObject({ status: 401 });
  });

  test('is not needed for a WebSocket of a page of this server, only of others', async () => {
    const { server, host, url } = await listening();
    const cookie = await beginSession(server, READ_KEY, host);
    for (const headers of [{ cookie }, { cookie, origin: 'https://evil.example' }]) {
      expect(await refusalOf(`${url}/v1/stream`, headers)).toMatchObject({ status: 403 });
    }
    const own = { cookie, origin: `http://${host}` };
    const reader = await StreamReader.openWith(`${url}/v1/stream`, own);
    expect(await reader.until(1)).toMatchObject([{ op: 'hello' }]);
    await reader.close();
  });
});
