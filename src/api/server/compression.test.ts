import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import {
  asOfFakeSlot,
  fakeApiDeps,
  fakeToken,
  fakeTokenListing,
  POOL,
  READ_KEY,
} from '../../../tests/support/fake-api-deps.ts';
import { fakeApiServer } from '../../../tests/support/fake-api-server.ts';
import { COMPRESSED_FROM_BYTES } from './compression.ts';

function serverWith(count: number) {
  const items = Array.from({ length: count }, (_, number) =>
    fakeTokenListing({ token: fakeToken({ name: `貓 ${number}` }) }),
  );
  const search = async () =>
    asOfFakeSlot({ items, total: count, next: null, isComplete: true } as const);
  return fakeApiServer({ tokens: { ...fakeApiDeps().tokens, search } });
}

async function answerOf(count: number, headers: Record<string, string>, method = 'GET') {
  const all = { 'x-api-key': READ_KEY, ...headers };
  const options = { method: method as 'GET', url: '/v1/tokens', headers: all };
  return await serverWith(count).inject(options);
}

const DECODERS = { zstd: zstdDecompressSync, br: brotliDecompressSync, gzip: gunzipSync };

test.each(Object.entries(DECODERS))(
  'a large body is sent in %s to a client that accepts it, and is the same',
  async (encoding, decode) => {
    const plain = await answerOf(100, {});
    expect(plain.rawPayload.length).toBeGreaterThan(COMPRESSED_FROM_BYTES);
    expect(plain.headers['content-encoding']).toBeUndefined();
    const answer = await answerOf(100, { 'accept-encoding': encoding });
    expect(answer.headers['content-encoding']).toBe(encoding);
    expect(answer.headers.vary).toMatch(/accept-encoding/i);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answer.headers['x-slot']).toBe(plain.headers['x-slot']);
    expect(answer.rawPayload.length).toBeLessThan(plain.rawPayload.length / 4);
    expect(decode(answer.rawPayload).equals(plain.rawPayload)).toBe(true);
  },
);

test('of several encodings the one that costs least is chosen', async () => {
  const accepts = async (names: string) =>
    (await answerOf(100, { 'accept-encoding': names })).headers['content-encoding'];
  expect(await accepts('gzip, deflate, br, zstd')).toBe('zstd');
  expect(await accepts('gzip, br')).toBe('br');
  expect(await accepts('deflate')).toBeUndefined();
  expect(await accepts('zstd;q=0, gzip')).toBe('gzip');
});

test('small bodies and errors are sent as they are', async () => {
  for (const count of [0, 1]) {
    const answer = await answerOf(count, { 'accept-encoding': 'gzip, br, zstd' });
    expect(answer.headers['content-encoding']).toBeUndefined();
    expect(answer.json().items).toHaveLength(count);
  }
});

test('current rows and streams are never compressed', async () => {
  const server = fakeApiServer();
  const headers = { 'x-api-key': READ_KEY, 'accept-encoding': 'gzip' };
  const url = `/v1/indicators/current?pair_address=${POOL}`;
  const { headers: answered } = await server.inject({ url, headers });
  expect(answered['content-encoding']).toBeUndefined();
  expect(answered.vary).toBeUndefined();
});

test('a compressed body of a request is not read', async () => {
  const answer = await fakeApiServer().inject({
    method: 'POST',
    url: '/v1/batch/prices',
    headers: {
      'x-api-key': READ_KEY,
      'content-type': 'application/json',
      'content-encoding': 'gzip',
    },
    payload: Buffer.from([0x1f, 0x8b, 8, 0]),
  });
  expect(answer.statusCode).toBe(400);
});
