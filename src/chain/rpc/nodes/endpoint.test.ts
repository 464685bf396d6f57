import { describe, expect, it } from 'vitest';
import { type Endpoint, parseEndpoints } from './endpoint.ts';

function endpointsOf(list: string): readonly Endpoint[] {
  const parsed = parseEndpoints(list);
  if (parsed.status === 'refused') throw new Error(parsed.message);
  return parsed.endpoints;
}

describe('addresses of RPC nodes', () => {
  it('are read in order, labelled by host only, and numbered where a host occurs twice', () => {
    const endpoints = endpointsOf(
      'https://rpc.example.org/v2/abcdef123456, http://127.0.0.1:8899,https://rpc.example.org/v2/zzzzzz999999',
    );
    expect(endpoints.map(({ label }) => label)).toEqual([
      'rpc.example.org',
      '127.0.0.1:8899',
      'rpc.example.org #2',
    ]);
    expect(endpoints.map(({ webSocketUrl }) => webSocketUrl)).toEqual([
      'wss://rpc.example.org/v2/abcdef123456',
      'ws://127.0.0.1:8899/',
      'wss://rpc.example.org/v2/zzzzzz999999',
    ]);
  });

  it('send the credentials before the @ as a header and not in the address', () => {
    const [endpoint] = endpointsOf('https://user:pass%40word@rpc.example.org/');
    // printf 'user:pass@word' | base64
    expect(endpoint?.headers).toEqual({ authorization: 'Basic dXNlcjpwYXNzQHdvcmQ=' });
    expect(endpoint?.url).toBe('https://rpc.example.org/');
  });

  it('remove every key from a text, escaped or not', () => {
    const [endpoint] = endpointsOf(
      'https://u:s3cr3t%2Fpw@h.example/v2/key-12345?api-key=query%20key',
    );
    const text = 'no s3cr3t%2Fpw, s3cr3t/pw, key-12345, query key, query%20key in /v2/';
    expect(endpoint?.redact(text)).toBe('no …, …, …, …, … in /v2/');
  });

  it.each([
    [''],
    ['not a url with s3cr3t-key'],
    ['ftp://s3cr3t-key@h/'],
    ['https://h/s3cr3t-key,,'],
    [Array(17).fill('https://h/s3cr3t-key').join(',')],
  ])('are refused without being repeated: %j', (list) => {
    const parsed = parseEndpoints(list);
    expect(parsed.status).toBe('refused');
    expect(JSON.stringify(parsed)).not.toContain('s3cr3t');
  });
});
