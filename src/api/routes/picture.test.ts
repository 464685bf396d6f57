import { describe, expect, test } from 'vitest';
import { address } from '../../../tests/support/build-transaction.ts';
import { fakeApiDeps, MINT, READ_KEY } from '../../../tests/support/fake-api-deps.ts';
import { fakeApiServer, getAsReader } from '../../../tests/support/fake-api-server.ts';
import type { ThumbnailSide } from '../../model/thumbnail.ts';

const url = `/v1/token/${MINT}/picture`;
const HASH = '0123456789abcdef';

const pictures = () => ({
  offchain: {
    ...fakeApiDeps().offchain,
    thumbnailOf: (mint: string, side: ThumbnailSide) =>
      mint === MINT ? { hash: HASH, bytes: Buffer.from(`RIFF ${side}`) } : null,
  },
});

const serverWithPicture = () => fakeApiServer(pictures());

const getWith = (headers: Record<string, string>) =>
  serverWithPicture().inject({ url, headers: { 'x-api-key': READ_KEY, ...headers } });

describe('GET /v1/token/{token_address}/picture', () => {
  test.each([
    ['', 128],
    ['?size=64', 64],
    ['?size=128', 128],
    ['?size=256', 256],
  ])('returns the thumbnail of the size in the query %j', async (query, side) => {
    const response = await getAsReader(serverWithPicture(), url + query);
    expect(response.statusCode).toBe(200);
    expect(response.rawPayload.toString('latin1')).toBe(`RIFF ${side}`);
    expect(response.headers).toMatchObject({
      'content-type': 'image/webp',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none';frame-ancestors 'none';sandbox",
      'cache-control': 'private, max-age=60',
      etag: `"${HASH}-${side}"`,
    });
  });

  test('may be kept for good only under the hash of the picture', async () => {
    const server = serverWithPicture();
    const kept = async (hash: string) =>
      (await getAsReader(server, `${url}?hash=${hash}`)).headers['cache-control'];
    expect(await kept(HASH)).toBe('private, max-age=31536000, immutable');
    expect(await kept('fedcba9876543210')).toBe('private, max-age=60');
  });

  test.each([`"${HASH}-128"`, `W/"${HASH}-128"`, `"other", "${HASH}-128"`, '*'])(
    'answers 304 without a body to a client that has it: %s',
    async (known) => {
      const response = await getWith({ 'if-none-match': known });
      expect(response.statusCode).toBe(304);
      expect(response.body).toBe('');
      expect(response.headers.etag).toBe(`"${HASH}-128"`);
      expect(response.headers['cache-control']).toBe('private, max-age=60');
    },
  );

  test.each([`"${HASH}-64"`, 'other', ''])(
    'answers 200 to a client that has another: %j',
    async (known) => {
      expect((await getWith({ 'if-none-match': known })).statusCode).toBe(200);
    },
  );

  test.each([
    [`/v1/token/${address('unknown')}/picture`, 404, 'This token is not known.'],
    [`${url}?size=512`, 400, 'size must be one of 64, 128, 256.'],
    [`${url}?hash=`, 400, 'hash must be a text of 1 to 64 characters.'],
    ['/v1/token/x/picture', 400, 'token_address must be the base58 text of a 32-byte address.'],
  ])('refuses %s with %i', async (path, code, message) => {
    const response = await getAsReader(serverWithPicture(), path);
    expect(response.statusCode).toBe(code);
    expect(response.json()).toEqual({ code, message });
    expect(response.headers['cache-control']).toBe('no-store');
  });

  test('answers 404 for a token without a gathered picture', async () => {
    const response = await getAsReader(fakeApiServer(), url);
    expect(response.statusCode).toBe(404);
    expect(response.json()).toEqual({
      code: 404,
      message: 'No picture of this token was gathered.',
    });
  });

  describe('counts in a budget of their own', () => {
    const limits = { rateLimitPerMinute: 60, rateLimitBurst: 10 };
    const atRest = { ...pictures(), nowMs: () => 1_700_000_000_000 };

    test('which leaves that of other requests as it was', async () => {
      const server = fakeApiServer(atRest, limits);
      const remaining = async () =>
        (await getAsReader(server, '/v1/key')).headers['ratelimit-remaining'];
      expect(await remaining()).toBe('9');
      for (let row = 0; row < 100; row++) {
        const { statusCode, headers } = await getAsReader(server, url);
        expect([statusCode, headers['ratelimit-remaining']]).toEqual([200, String(99 - row)]);
      }
      expect(await remaining()).toBe('8');
    });

    test('which is bounded, and named in its headers', async () => {
      const server = fakeApiServer(atRest, limits);
      for (let row = 0; row < 100; row++) await getAsReader(server, url);
      const refused = await getAsReader(server, url);
      expect(refused.statusCode).toBe(429);
      // Ten pictures return in a second, all hundred in ten.
      expect(refused.headers).toMatchObject({
        'ratelimit-limit': '600',
        'ratelimit-policy': '600;w=60;burst=100;comment="pictures"',
        'ratelimit-remaining': '0',
        'ratelimit-reset': '10',
        'retry-after': '1',
      });
      expect((await getAsReader(server, `/v1/token/${MINT}`)).headers).toMatchObject({
        'ratelimit-limit': '60',
        'ratelimit-policy': '60;w=60;burst=10',
        'ratelimit-remaining': '9',
      });
    });
  });

  test('requires a key, or the session of a page: an <img> sends only the cookie', async () => {
    const server = serverWithPicture();
    expect((await server.inject(url)).statusCode).toBe(401);
    const headers = { 'x-api-key': READ_KEY };
    const begun = await server.inject({ method: 'POST', url: '/v1/session', headers });
    const [cookie = ''] = String(begun.headers['set-cookie']).split(';');
    const answer = await server.inject({ url, headers: { cookie } });
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'image/webp']);
  });
});
