import { describe, expect, test } from 'vitest';
import { fakeApiServer, sendAs } from '../../../tests/support/fake-api-server.ts';
import type { DocSite } from '../http/doc-site.ts';
import type { StaticFile } from '../http/static-file.ts';

const fileOf = (text: string, changed: Partial<StaticFile> = {}): StaticFile => ({
  contentType: 'text/html; charset=utf-8',
  etag: `"${text}"`,
  isImmutable: false,
  plain: Buffer.from(text),
  heldBytes: text.length,
  br: null,
  gzip: Buffer.from('short'),
  ...changed,
});

const SITE: DocSite = {
  files: new Map([
    ['/docs/', fileOf('first')],
    ['/docs/a/b', fileOf('page')],
    ['/docs/a/b.md', fileOf('# Page', { contentType: 'text/markdown; charset=utf-8' })],
    ['/docs/assets/x-1.js', fileOf('script', { isImmutable: true })],
  ]),
  list: fileOf('# Mintscope', { contentType: 'text/plain; charset=utf-8' }),
};

const built = () => fakeApiServer({}, { docSite: SITE });

describe('the documentation', () => {
  test.each([
    ['/docs/', 'first', 'text/html; charset=utf-8'],
    ['/docs/a/b', 'page', 'text/html; charset=utf-8'],
    ['/docs/a/b?x=1', 'page', 'text/html; charset=utf-8'],
    ['/docs/a/b.md', '# Page', 'text/markdown; charset=utf-8'],
    ['/llms.txt', '# Mintscope', 'text/plain; charset=utf-8'],
  ])('answers %s without a key', async (url, text, contentType) => {
    const { statusCode, body, headers } = await built().inject(url);
    expect([statusCode, body]).toEqual([200, text]);
    expect(headers).toMatchObject({
      'content-type': contentType,
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    });
  });

  test('allows its pages files of this server and nothing inline', async () => {
    const { headers } = await built().inject('/docs/a/b');
    const policy = String(headers['content-security-policy']);
    expect(policy).toMatch(/^default-src 'none';/);
    expect(policy).toMatch(/frame-ancestors 'none'/);
    expect(policy).not.toMatch(/unsafe|https?:|data:|\*/);
  });

  test('leads /docs to the first page, without the query, which may contain a key', async () => {
    const { statusCode, headers } = await built().inject('/docs?api_key=secret');
    expect([statusCode, headers.location]).toEqual([301, '/docs/']);
  });

  test('answers 304 to a client that has the page, and keeps hashed files forever', async () => {
    const headers = { 'if-none-match': '"page"' };
    const known = await built().inject({ url: '/docs/a/b', headers });
    expect([known.statusCode, known.body]).toEqual([304, '']);
    const { headers: ofScript } = await built().inject('/docs/assets/x-1.js');
    expect(ofScript['cache-control']).toBe('public, max-age=31536000, immutable');
  });

  test('is sent compressed to clients that accept it', async () => {
    const headers = { 'accept-encoding': 'gzip' };
    const answer = await built().inject({ url: '/docs/a/b', headers });
    expect([answer.body, answer.headers['content-encoding']]).toEqual(['short', 'gzip']);
  });

  test.each([
    '/docs/a',
    '/docs/a/b/',
    '/docs/a/../a/c',
    '/docs/..%2fpackage.json',
    '/docs/constructor',
  ])('has no page at %s', async (url) => {
    const { statusCode, body } = await built().inject(url);
    expect(statusCode).toBe(404);
    expect(JSON.parse(body)).toEqual({
      code: 404,
      message: 'The documentation has no such page: /llms.txt lists all.',
    });
  });

  test('refuses other methods, and says which it answers', async () => {
    const { statusCode, headers } = await sendAs(built(), 'POST', '/docs/a/b');
    expect([statusCode, headers.allow]).toEqual([405, 'GET, HEAD']);
  });

  test.each(['/docs/', '/docs/a/b', '/llms.txt'])(
    'says at %s how to build it if it is not built',
    async (url) => {
      const { statusCode, body } = await fakeApiServer().inject(url);
      expect(statusCode).toBe(200);
      expect(body).toContain('npm run site:build');
    },
  );
});
