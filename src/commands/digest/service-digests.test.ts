import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { environmentAddress, ONLY_SERVICE, SECOND_SERVICE } from '../client/service-address.ts';
import { fetchServiceDigests, parseServiceDigests } from './service-digests.ts';

const STATE = { slot: 900, digest: 'i', parts: [{ name: 'tokens', sum: '1' }], blockhash: null };

test('a coverage has the digests of its state and of earlier slots', () => {
  const text = JSON.stringify({ state: STATE, state_digests: [{ slot: 600, digest: 'f' }] });
  const found = parseServiceDigests(text);
  expect(found?.state).toMatchObject({ slot: 900, digest: 'i' });
  expect([...(found?.digests ?? [])]).toEqual([
    [600, 'f'],
    [900, 'i'],
  ]);
});

test('a service without a slot has no digest', () => {
  const found = parseServiceDigests('{"state": null, "state_digests": []}');
  expect(found).toEqual({ state: null, digests: new Map() });
});

test.each([
  'text',
  'null',
  '[]',
  '{}',
  '{"state": null}',
  '{"state_digests": []}',
  '{"state": 1, "state_digests": []}',
  '{"state": null, "state_digests": [{"slot": "1", "digest": "a"}]}',
  '{"state": null, "state_digests": [null]}',
  '{"state": {"slot": 1, "digest": "a"}, "state_digests": []}',
  '{"state": {"slot": 1, "digest": "a", "parts": [{"name": "a"}]}, "state_digests": []}',
  '{"state": null, "state_digests": [{"slot": -1, "digest": "a"}]}',
  '{"state": null, "state_digests": [{"slot": 1e300, "digest": "a"}]}',
])('%s is no coverage with digests', (text) => {
  expect(parseServiceDigests(text)).toBeNull();
});

test.each([
  ['slots', { state: null, state_digests: Array(1_001).fill({ slot: 1, digest: 'a' }) }],
  ['parts', { state: { ...STATE, parts: Array(1_001).fill(STATE.parts[0]) }, state_digests: [] }],
  ['digest', { state: { ...STATE, digest: 'a'.repeat(201) }, state_digests: [] }],
])('a coverage with too long %s is refused', (_, coverage) => {
  expect(parseServiceDigests(JSON.stringify(coverage))).toBeNull();
});

async function listening(answer: RequestListener) {
  const server = createServer(answer);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { server, host: `127.0.0.1:${(server.address() as AddressInfo).port}` };
}

describe('a service that cannot be compared is refused in one sentence', () => {
  test.each<[string, RequestListener, string]>([
    [
      'of another kind',
      (_, reply) => reply.end('<html>'),
      'HOST is not a service of this version: it states no digest.',
    ],
    [
      'of another form',
      (_, reply) => reply.end('{"state": [], "state_digests": {}}'),
      'HOST is not a service of this version: it states no digest.',
    ],
    [
      'that sends without end',
      (_, reply) => reply.end(Buffer.alloc(16 * 2 ** 20 + 1, 0x20)),
      'HOST answered with more than 16777216 bytes: ask for less.',
    ],
    [
      'that wants a key',
      (_, reply) => reply.writeHead(401).end('{"code": "unauthorized", "message": "No key."}'),
      'HOST wants an API key: set MINTSCOPE_WITH_API_KEY to one, which "mintscope keys create" makes.',
    ],
    [
      'that refers to another',
      (_, reply) => reply.writeHead(302, { location: 'http://other/' }).end(),
      'HOST refers to http://other/: name that address with --with.',
    ],
  ])('one %s', async (_, answer, message) => {
    const { server, host } = await listening(answer);
    try {
      const asked = fetchServiceDigests(environmentAddress(`http://${host}`, SECOND_SERVICE, {}));
      await expect(asked).rejects.toThrow(message.replace('HOST', host));
    } finally {
      server.close();
    }
  });

  test('one that does not answer', async () => {
    const { server, host } = await listening(() => undefined);
    server.close();
    await once(server, 'close');
    const asked = fetchServiceDigests(environmentAddress(`http://${host}`, SECOND_SERVICE, {}));
    await expect(asked).rejects.toThrow(
      `No service answers at ${host}: start one with "mintscope start", or name its address with --with.`,
    );
  });
});

test('each service is asked with its own key', async () => {
  const keys: unknown[] = [];
  const { server, host } = await listening((request, reply) => {
    keys.push(request.headers['x-api-key']);
    reply.end('{"state": null, "state_digests": []}');
  });
  try {
    const [one, both] = [{ MINTSCOPE_API_KEY: 'first' }, { MINTSCOPE_WITH_API_KEY: 'second' }];
    for (const environment of [one, { ...one, ...both }]) {
      for (const named of [ONLY_SERVICE, SECOND_SERVICE]) {
        await fetchServiceDigests(environmentAddress(`http://${host}`, named, environment));
      }
    }
    expect(keys).toEqual(['first', undefined, 'first', 'second']);
  } finally {
    server.close();
  }
});

test.each([
  [ONLY_SERVICE, 'ftp://host', {}, '--url takes an http or https address, not "ftp://host".'],
  [SECOND_SERVICE, 'host', {}, '--with takes an http or https address, not "host".'],
  [
    SECOND_SERVICE,
    'http://user:secret@host',
    {},
    '--with takes an address without user name and password: set MINTSCOPE_WITH_API_KEY to an API key.',
  ],
  [
    SECOND_SERVICE,
    'http://host',
    { MINTSCOPE_WITH_API_KEY: 'two\nlines' },
    'An API key is one word of letters, digits and signs: check the key.',
  ],
])('an address or a key that cannot be used is refused: %j %s', (named, url, keys, message) => {
  expect(() => environmentAddress(url, named, keys)).toThrow(message);
});
