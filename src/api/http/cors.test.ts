import { describe, expect, test } from 'vitest';
import { MINT, READ_KEY } from '../../../tests/support/fake-api-deps.ts';
import { fakeApiServer } from '../../../tests/support/fake-api-server.ts';

const APP = 'https://app.example';

const preflight = (
  corsOrigins: readonly string[],
  headers: Record<string, string>,
  url = '/v1/key',
) => fakeApiServer({}, { corsOrigins }).inject({ method: 'OPTIONS', url, headers });

const ASKED = { origin: APP, 'access-control-request-method': 'GET' };

describe('pages of other origins', () => {
  test('may not read anything by default', async () => {
    const headers = { 'x-api-key': READ_KEY, origin: APP };
    const answer = await fakeApiServer().inject({ url: '/v1/key', headers });
    expect(
      Object.keys(answer.headers).filter((name) => /^access-control|^vary/.test(name)),
    ).toEqual([]);
    expect((await preflight([], ASKED)).statusCode).toBe(401);
  });

  test('that are configured may read answers and errors, without cookies', async () => {
    const server = fakeApiServer({}, { corsOrigins: [APP] });
    for (const key of [READ_KEY, 'tik_wrong']) {
      const headers = { 'x-api-key': key, origin: APP };
      const answer = await server.inject({ url: `/v1/token/${MINT}`, headers });
      expect(answer.headers).toMatchObject({
        'access-control-allow-origin': APP,
        'access-control-expose-headers': expect.stringMatching(
          /^x-slot, .*x-api-version, deprecation, sunset, /,
        ),
        vary: 'Origin',
      });
      expect(answer.headers).not.toHaveProperty('access-control-allow-credentials');
    }
  });

  test.each([
    ['another', 'https://evil.example'],
    ['one of another scheme', 'http://app.example'],
    ['one that begins alike', `${APP}.evil.example`],
    ['an opaque one', 'null'],
  ])('that are not configured may not: %s', async (_, origin) => {
    const server = fakeApiServer({}, { corsOrigins: [APP] });
    const answer = await server.inject({
      url: '/v1/key',
      headers: { 'x-api-key': READ_KEY, origin },
    });
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
    // Caches must not give one origin the answer of another.
    expect(answer.headers.vary).toBe('Origin');
    expect((await preflight([APP], { ...ASKED, origin })).statusCode).toBe(401);
  });

  test('that are configured may ask without a key which requests they may send', async () => {
    const answer = await preflight([APP], ASKED, '/v1/session');
    expect([answer.statusCode, answer.body]).toEqual([204, '']);
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': APP,
      'access-control-allow-methods': 'DELETE, POST',
      'access-control-allow-headers':
        'x-api-key, authorization, content-type, x-request-id, x-client-version, last-event-id, mcp-protocol-version, mcp-method, mcp-name',
      'access-control-max-age': '7200',
    });
  });

  test('need a key for what is no such question', async () => {
    expect((await preflight([APP], { origin: APP })).statusCode).toBe(401);
    expect((await preflight([APP], ASKED, '/v1/nothing')).statusCode).toBe(401);
  });
});
