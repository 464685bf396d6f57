import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { FastifyInstance } from 'fastify';
import { describe, expect, test } from 'vitest';
import { MINT, READ_KEY, WRITE_KEY } from '../../../tests/support/fake-api-deps.ts';
import {
  DATA_URLS,
  fakeApiServer,
  sharedApiServer,
} from '../../../tests/support/fake-api-server.ts';
import { FAILURES_PER_MINUTE_MAX } from './failed-keys.ts';

const URL_OF_TOKEN = `/v1/token/${MINT}`;

type Headers = Readonly<Record<string, string>>;

async function statusOf(headers: Headers, server: FastifyInstance = sharedApiServer()) {
  return (await server.inject({ url: URL_OF_TOKEN, headers })).statusCode;
}

describe('a key in Authorization: Bearer', () => {
  test.each(DATA_URLS)('is answered as in X-API-Key: %s', async (url) => {
    const server = sharedApiServer();
    const [one, other] = [
      await server.inject({ url, headers: { 'x-api-key': READ_KEY } }),
      await server.inject({ url, headers: { authorization: `Bearer ${READ_KEY}` } }),
    ];
    expect([other.statusCode, other.body]).toEqual([one.statusCode, one.body]);
    expect(other.headers['ratelimit-limit']).toBe(one.headers['ratelimit-limit']);
  });

  test('has the scopes of the key', async () => {
    expect(await statusOf({ authorization: `Bearer ${WRITE_KEY}` })).toBe(403);
  });

  test.each([
    ['in small letters', `bearer ${READ_KEY}`],
    ['with more spaces', `BEARER   ${READ_KEY}`],
  ])('is read %s', async (_how, authorization) => {
    expect(await statusOf({ authorization })).toBe(200);
  });

  test.each([
    ['unknown', 'Bearer unknown'],
    ['missing', 'Bearer'],
    ['empty', 'Bearer '],
    ['two', `Bearer ${READ_KEY}, Bearer ${READ_KEY}`],
    ['of another scheme', `Basic ${READ_KEY}`],
    ['without a scheme', READ_KEY],
  ])('is refused if it is %s', async (_how, authorization) => {
    expect(await statusOf({ authorization })).toBe(401);
  });

  test('is not read beside X-API-Key, as that of a proxy before the service may be there', async () => {
    expect(await statusOf({ 'x-api-key': READ_KEY, authorization: 'Bearer other' })).toBe(200);
    expect(await statusOf({ 'x-api-key': 'other', authorization: `Bearer ${READ_KEY}` })).toBe(401);
  });

  test('counts as a guess if it is wrong, and a header of another scheme does not', async () => {
    const server = fakeApiServer({ nowMs: () => 1_700_000_000_000 });
    const ask = (authorization: string) => statusOf({ authorization }, server);
    const sent = Array.from({ length: FAILURES_PER_MINUTE_MAX }, () => ask('Basic guess'));
    expect(new Set(await Promise.all(sent))).toEqual(new Set([401]));
    const guesses = Array.from({ length: FAILURES_PER_MINUTE_MAX }, () => ask('Bearer guess'));
    expect(new Set(await Promise.all(guesses))).toEqual(new Set([401]));
    expect(await ask('Bearer guess')).toBe(429);
  });

  test('is no key if the header is repeated, though Node keeps the first of them', async () => {
    const server = fakeApiServer();
    await server.listen({ port: 0, host: '127.0.0.1' });
    const { port } = server.server.address() as AddressInfo;
    const ask = async (lines: readonly string[]) => {
      const socket = connect(port, '127.0.0.1');
      await once(socket, 'connect');
      const head = [`GET ${URL_OF_TOKEN} HTTP/1.1`, 'Host: a', 'Connection: close', ...lines];
      socket.write(`${head.join('\r\n')}\r\n\r\n`);
      return Number((await text(socket)).split(' ')[1]);
    };
    const line = `Authorization: Bearer ${READ_KEY}`;
    expect(await ask([line])).toBe(200);
    expect(await ask([line, 'authorization: Bearer other'])).toBe(401);
    expect(await ask([line, line])).toBe(401);
    await server.close();
  });
});
