import { expect, test } from 'vitest';
import { passedAnswerHeaders, passedRequestHeaders } from './passed-headers.ts';

const socket = { remoteAddress: '192.0.2.7' } as never;

function passed(rawHeaders: string[], minSlot: number | null = null): string[] {
  const connection = rawHeaders[rawHeaders.indexOf('Connection') + 1];
  const headers =
    rawHeaders.includes('Connection') && connection !== undefined ? { connection } : {};
  return passedRequestHeaders({ rawHeaders, headers, socket }, { minSlot });
}

test('headers are passed on in their order, with their case and repetitions', () => {
  const given = ['Host', 'api.example', 'X-API-Key', 'k', 'Cookie', 'a=1', 'cookie', 'b=2'];
  expect(passed(given)).toEqual([...given, 'x-forwarded-for', '192.0.2.7']);
});

test('the address of the client follows those that proxies named', () => {
  expect(passed(['X-Forwarded-For', '198.51.100.1'])).toEqual([
    ...['X-Forwarded-For', '198.51.100.1'],
    ...['x-forwarded-for', '192.0.2.7'],
  ]);
});

test('what is about the connection stays behind', () => {
  const given = [
    ...['Connection', 'close, X-Secret'],
    ...['x-secret', '1', 'Transfer-Encoding', 'chunked', 'Upgrade', 'h2c', 'TE', 'trailers'],
    ...['Expect', '100-continue', 'Content-Length', '5', 'Sec-WebSocket-Key', 'x'],
  ];
  expect(passed(given)).toEqual(['x-forwarded-for', '192.0.2.7']);
});

test('the slot that clients have seen replaces the one that the client names', () => {
  expect(passed(['x-min-slot', '7'], 9)).toEqual([
    ...['x-forwarded-for', '192.0.2.7'],
    ...['x-min-slot', '9'],
  ]);
  expect(passed(['x-min-slot', '7'])).toContain('7');
});

test('an answer keeps all but what is about the connection', () => {
  const kept = {
    'set-cookie': ['a=1', 'b=2'],
    'x-slot': '7',
    date: 'today',
    'content-length': '5',
  };
  const answer = { ...kept, connection: 'keep-alive', 'keep-alive': 'timeout=72' };
  expect(passedAnswerHeaders(answer)).toEqual(kept);
});
