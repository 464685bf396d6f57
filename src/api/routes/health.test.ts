import { describe, expect, test } from 'vitest';
import { fakeApiDeps, READ_KEY, WRITE_KEY } from '../../../tests/support/fake-api-deps.ts';
import { fakeApiServer } from '../../../tests/support/fake-api-server.ts';
import type { Readiness } from '../chain-status.ts';

const ELSEWHERE = '192.0.2.7';

function serverWith(readiness: Readiness) {
  const { chain } = fakeApiDeps();
  return fakeApiServer({ chain: { ...chain, readiness: async () => readiness } });
}

describe('GET /livez', () => {
  test('answers without a key', async () => {
    const response = await fakeApiServer().inject({ url: '/livez', remoteAddress: ELSEWHERE });
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({ status: 'live' });
  });
});

describe('GET /livez of a service that ingests nothing', () => {
  const { chain } = fakeApiDeps();

  test.each([
    [false, 200, { status: 'live' }],
    [true, 503, { code: 503, message: 'The chain is no longer followed: see GET /readyz.' }],
  ])('depends on whether that is permanent: %s', async (isLasting, status, body) => {
    const standing = { ...chain, standstill: () => ({ isLasting }) };
    const response = await fakeApiServer({ chain: standing }).inject('/livez');
    expect([response.statusCode, response.json()]).toEqual([status, body]);
  });
});

describe('GET /readyz', () => {
  test('returns the checks', async () => {
    const checks = { store: { ok: true, detail: 'writable' }, gaps: { ok: true, detail: 'none' } };
    const response = await serverWith({ isReady: true, checks }).inject('/readyz');
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({ status: 'ready', checks });
  });

  test('answers 503 with the failed checks', async () => {
    const checks = {
      store: { ok: false, detail: 'the last write failed' },
      source: { ok: true, detail: 'recorded' },
      gaps: { ok: false, detail: '2 open' },
    };
    const response = await serverWith({ isReady: false, checks }).inject('/readyz');
    expect(response.statusCode).toBe(503);
    expect(response.json()).toEqual({
      code: 503,
      message: 'Not ready: store: the last write failed; gaps: 2 open.',
    });
  });
});

test('a flood of GET /readyz costs one check and refuses no request', async () => {
  const { chain } = fakeApiDeps();
  let checks = 0;
  const readiness = async () => {
    checks++;
    await new Promise((resolve) => setTimeout(resolve, 20));
    return { isReady: true, checks: {} };
  };
  const server = fakeApiServer({ chain: { ...chain, readiness } });
  const flood = await Promise.all(Array.from({ length: 200 }, () => server.inject('/readyz')));
  expect(new Set(flood.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
  expect(checks).toBe(1);
});

describe.each(['/readyz', '/metrics'])('GET %s', (url) => {
  test.each(['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1'])(
    'needs no key from %s',
    async (remoteAddress) => {
      const response = await fakeApiServer().inject({ url, remoteAddress });
      expect(response.statusCode).toBe(200);
    },
  );

  test.each(['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'])(
    'are closed to clients of a local proxy, as shown by %s',
    async (header) => {
      const headers = { [header]: '203.0.113.9' };
      const passedOn = { url, remoteAddress: '127.0.0.1', headers };
      expect((await fakeApiServer().inject(passedOn)).statusCode).toBe(401);
    },
  );

  test.each([ELSEWHERE, '::ffff:192.0.2.7', '10.127.0.1', '1127.0.0.1', '2001:db8::127.0.0.1'])(
    'needs a key from %s, of any scope',
    async (remoteAddress) => {
      const server = fakeApiServer();
      const refused = await server.inject({ url, remoteAddress });
      expect(refused.statusCode).toBe(401);
      for (const key of [READ_KEY, WRITE_KEY]) {
        const headers = { 'x-api-key': key };
        const answered = await server.inject({ url, remoteAddress, headers });
        expect(answered.statusCode).toBe(200);
      }
    },
  );

  test('refuses an invalid key even if none is required', async () => {
    const headers = { 'x-api-key': 'wrong' };
    const response = await fakeApiServer().inject({ url, headers });
    expect(response.statusCode).toBe(401);
  });

  test('needs no key from anywhere when operations are open', async () => {
    const server = fakeApiServer({}, { openOps: true });
    const response = await server.inject({ url, remoteAddress: ELSEWHERE });
    expect(response.statusCode).toBe(200);
  });
});
