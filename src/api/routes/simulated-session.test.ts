import { afterEach, describe, expect, test } from 'vitest';
import { READ_KEY } from '../../../tests/support/fake-api-deps.ts';
import { fakeApiServer } from '../../../tests/support/fake-api-server.ts';
import type { ServerOptions } from '../server/server-options.ts';

const HOST = 'localhost:8080';
const ORIGIN = `http://${HOST}`;
const OPEN = { isSimulated: true, openKey: READ_KEY };

const servers: ReturnType<typeof fakeApiServer>[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

interface Sent {
  readonly options?: Partial<ServerOptions>;
  readonly headers?: Record<string, string>;
  readonly remoteAddress?: string;
}

async function ask({ options = OPEN, headers = {}, remoteAddress = '127.0.0.1' }: Sent) {
  const server = fakeApiServer({}, options);
  servers.push(server);
  const answer = await server.inject({
    method: 'POST',
    url: '/v1/session/simulated',
    headers: { host: HOST, origin: ORIGIN, ...headers },
    remoteAddress,
  });
  return { server, answer };
}

describe('POST /v1/session/simulated', () => {
  test('begins a session of the key of the market for a page on this machine', async () => {
    const { server, answer } = await ask({});
    expect(answer.statusCode).toBe(201);
    expect(answer.json()).toMatchObject({ account: 'account of reader', scopes: ['read'] });
    expect(answer.body).not.toContain(READ_KEY);
    const cookie = String(answer.headers['set-cookie']).split(';')[0] ?? '';
    expect(answer.headers['set-cookie']).toMatch(/HttpOnly; SameSite=Strict$/);
    const tokens = await server.inject({ url: '/v1/tokens', headers: { host: HOST, cookie } });
    expect(tokens.statusCode).toBe(200);
  });

  test.each([
    ['127.0.0.1:8080', '127.0.0.1'],
    ['[::1]:8080', '::1'],
    ['localhost:8080', '::ffff:127.0.0.1'],
  ])('begins one at %s from %s', async (host, remoteAddress) => {
    const { answer } = await ask({ headers: { host, origin: `http://${host}` }, remoteAddress });
    expect(answer.statusCode).toBe(201);
  });

  test.each<[string, Sent]>([
    ['a real chain', { options: { isSimulated: false, openKey: READ_KEY } }],
    ['a key that was configured', { options: { isSimulated: true } }],
    ['a key that is not valid', { options: { isSimulated: true, openKey: 'tik_wrong' } }],
    ['another machine', { remoteAddress: '10.0.0.7' }],
    ['another machine with IPv6', { remoteAddress: '2001:db8::1' }],
    ['a page of another origin', { headers: { origin: 'https://other.example' } }],
    ['a page of another port', { headers: { origin: 'http://localhost:9090' } }],
    ['a page without an origin', { headers: { origin: 'null' } }],
    [
      'a name that resolves to this machine (DNS rebinding)',
      { headers: { host: 'rebound.example:8080', origin: 'http://rebound.example:8080' } },
    ],
    [
      'a name that begins like the loopback interface',
      {
        headers: { host: '127.0.0.1.rebound.example', origin: 'http://127.0.0.1.rebound.example' },
      },
    ],
    ['a proxy (X-Forwarded-For)', { headers: { 'x-forwarded-for': '10.0.0.7' } }],
    ['a proxy (Forwarded)', { headers: { forwarded: 'for=10.0.0.7' } }],
    ['a proxy (X-Forwarded-Host)', { headers: { 'x-forwarded-host': 'service.example' } }],
    ['a proxy (X-Real-IP)', { headers: { 'x-real-ip': '10.0.0.7' } }],
    ['a proxy (Via)', { headers: { via: '1.1 proxy' } }],
  ])('is refused for %s', async (_, sent) => {
    const { answer } = await ask(sent);
    expect(answer.statusCode).toBe(403);
    expect(answer.headers['set-cookie']).toBeUndefined();
  });

  test('is refused without an Origin, which browsers send with every POST', async () => {
    const server = fakeApiServer({}, OPEN);
    servers.push(server);
    const headers = { host: HOST };
    const url = '/v1/session/simulated';
    const answer = await server.inject({ method: 'POST', url, headers });
    expect(answer.statusCode).toBe(403);
  });
});
