import { expect, test } from 'vitest';
import { readKeptHead } from './read-kept-head.ts';

const PLAIN = ['Host', 'localhost', 'X-API-Key', 'k'];

test('the key and the ID are read in any case of their names', () => {
  expect(readKeptHead({ rawHeaders: PLAIN })).toEqual({ key: 'k', requestId: undefined });
  const rawHeaders = ['accept', '*/*', 'HOST', 'a', 'x-api-key', 'k', 'X-Request-Id', 'i'];
  expect(readKeptHead({ rawHeaders })).toEqual({ key: 'k', requestId: 'i' });
});

test.each([
  ['without a key', ['Host', 'a', 'Cookie', 'mintscope_session=x']],
  ['without a host', ['X-API-Key', 'k']],
  ['with two hosts', [...PLAIN, 'host', 'b']],
  ['with two keys', [...PLAIN, 'x-api-key', 'k']],
  ['with two IDs', [...PLAIN, 'x-request-id', '1', 'X-Request-ID', '2']],
  ['of a page', [...PLAIN, 'Origin', 'https://page.example']],
  ['with an expectation', [...PLAIN, 'Expect', '100-continue']],
  ['for another protocol', [...PLAIN, 'Upgrade', 'websocket']],
  ['with a body', [...PLAIN, 'Content-Length', '5']],
  ['with a body in chunks', [...PLAIN, 'Transfer-Encoding', 'chunked']],
])('a request %s is left to the framework', (_, rawHeaders) => {
  expect(readKeptHead({ rawHeaders })).toBeNull();
});
