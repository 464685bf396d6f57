import { expect, test } from 'vitest';
import { readKeptHead } from './read-kept-head.ts';

const PLAIN = ['Host', 'localhost', 'X-API-Key', 'k'];

const NOTHING_ELSE = { requestId: undefined, minSlot: null };

test('the key and the ID are read in any case of their names', () => {
  expect(readKeptHead({ rawHeaders: PLAIN })).toEqual({ ...NOTHING_ELSE, key: 'k' });
  const rawHeaders = ['accept', '*/*', 'HOST', 'a', 'x-api-key', 'k', 'X-Request-Id', 'i'];
  expect(readKeptHead({ rawHeaders })).toEqual({ ...NOTHING_ELSE, key: 'k', requestId: 'i' });
});

test('the key may be a bearer token, and X-API-Key goes before it', () => {
  const bearer = ['Authorization', 'bearer t'];
  expect(readKeptHead({ rawHeaders: ['Host', 'a', ...bearer] })?.key).toBe('t');
  expect(readKeptHead({ rawHeaders: [...bearer, ...PLAIN] })?.key).toBe('k');
  // A proxy's own.
  const basic = ['Authorization', 'Basic dTpw'];
  expect(readKeptHead({ rawHeaders: [...basic, ...PLAIN] })?.key).toBe('k');
});

test('the wanted slot is read', () => {
  expect(readKeptHead({ rawHeaders: [...PLAIN, 'X-Min-Slot', '12'] })?.minSlot).toBe(12);
});

test.each([
  ['with a wanted slot that is none', [...PLAIN, 'x-min-slot', 'soon']],
  ['with two wanted slots', [...PLAIN, 'x-min-slot', '1', 'x-min-slot', '2']],
  ['without a key', ['Host', 'a', 'Cookie', 'mintscope_session=x']],
  ['without a host', ['X-API-Key', 'k']],
  ['with two hosts', [...PLAIN, 'host', 'b']],
  ['with two keys', [...PLAIN, 'x-api-key', 'k']],
  ['with two tokens', ['Host', 'a', 'Authorization', 'Bearer t', 'authorization', 'Bearer t']],
  ['with another scheme', ['Host', 'a', 'Authorization', 'Basic dTpw']],
  ['with two IDs', [...PLAIN, 'x-request-id', '1', 'X-Request-ID', '2']],
  ['of a page', [...PLAIN, 'Origin', 'https://page.example']],
  ['with an expectation', [...PLAIN, 'Expect', '100-continue']],
  ['for another protocol', [...PLAIN, 'Upgrade', 'websocket']],
  ['with a body', [...PLAIN, 'Content-Length', '5']],
  ['with a body in chunks', [...PLAIN, 'Transfer-Encoding', 'chunked']],
])('a request %s is left to the framework', (_, rawHeaders) => {
  expect(readKeptHead({ rawHeaders })).toBeNull();
});
