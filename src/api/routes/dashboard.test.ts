import { describe, expect, test } from 'vitest';
import { fakeApiServer } from '../../../tests/support/fake-api-server.ts';
import type { Dashboard } from '../http/dashboard.ts';
import type { StaticFile } from '../http/static-file.ts';

const fileOf = (text: string, changed: Partial<StaticFile> = {}): StaticFile => ({
  contentType: 'text/javascript; charset=utf-8',
  etag: `"${text}"`,
  isImmutable: true,
  plain: Buffer.from(text),
  heldBytes: text.length,
  br: null,
  gzip: null,
  ...changed,
});

const DASHBOARD: Dashboard = {
  paths: ['/', '/market', '/token/:mint'],
  page: fileOf('page', { contentType: 'text/html; charset=utf-8', isImmutable: false }),
  files: new Map([['/assets/app-1.js', fileOf('script', { br: Buffer.from('short') })]]),
};

describe('the dashboard', () => {
  test.each(['/', '/market', '/token/abc', '/market?order=price&x=%20'])(
    'is the page at %s, without a key, with nothing inline and from nowhere else',
    async (url) => {
      const server = fakeApiServer({}, { dashboard: DASHBOARD });
      const { statusCode, body, headers } = await server.inject(url);
      expect([statusCode, body]).toEqual([200, 'page']);
      expect(headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-cache',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
      });
      const policy = String(headers['content-security-policy']);
      expect(policy).toMatch(/(^|;)default-src 'self'(;|$)/);
      expect(policy).toMatch(/(^|;)frame-ancestors 'none'(;|$)/);
      expect(policy).not.toMatch(/unsafe|https?:|\*/);
    },
  );

  test('does not answer other paths', async () => {
    const server = fakeApiServer({}, { dashboard: DASHBOARD });
    expect((await server.inject('/assets/app-2.js')).statusCode).toBe(401);
    expect((await server.inject('/token/a/b')).statusCode).toBe(401);
    expect((await server.inject('/assets/../paths.json')).statusCode).toBe(401);
  });

  test('sends files compressed as the client accepts, to be kept forever', async () => {
    const server = fakeApiServer({}, { dashboard: DASHBOARD });
    const get = (headers: Record<string, string>) =>
      server.inject({ url: '/assets/app-1.js', headers });
    const compressed = await get({ 'accept-encoding': 'gzip, br' });
    expect(compressed.body).toBe('short');
    expect(compressed.headers).toMatchObject({
      'content-encoding': 'br',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
      etag: '"script"',
    });
    const plain = await get({});
    expect([plain.body, plain.headers['content-encoding']]).toEqual(['script', undefined]);
  });

  test('answers 304 to a client that has the file', async () => {
    const server = fakeApiServer({}, { dashboard: DASHBOARD });
    const headers = { 'if-none-match': '"page"' };
    const { statusCode, body } = await server.inject({ url: '/market', headers });
    expect([statusCode, body]).toEqual([304, '']);
  });

  test('says how to build it if it is not built', async () => {
    const { statusCode, body, headers } = await fakeApiServer().inject('/');
    expect(statusCode).toBe(200);
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(body).toContain('npm run web:build');
  });
});
