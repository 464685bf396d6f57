import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakePlatform, ok, type Reply } from '../../../tests/support/fake-platform.ts';
import { SOON_MS } from '../../../tests/support/slow-machine.ts';
import { HttpClient } from './http-client.ts';

const SIGNAL = new AbortController().signal;
const SECRET = 'secret-in-the-path';

let platform: FakePlatform;
let client: HttpClient;
let reply: Reply;

beforeEach(async () => {
  reply = ok({ a: 1 });
  platform = await startPlatform();
  client = new HttpClient({
    baseUrl: `${platform.url}/gateway/`,
    headers: { 'x-key': 'k' },
    deadlineMs: 300,
    answerBytesMax: 1_000,
  });
});
afterEach(async () => {
  await client.close();
  await platform.close();
});

async function startPlatform(): Promise<FakePlatform> {
  const started = await FakePlatform.start(() => 0);
  started.handle = () => reply;
  return started;
}

async function request() {
  return await client.request({ path: `/${SECRET}` }, SIGNAL);
}

describe('the client of platforms', () => {
  it('sends requests under the base URL, with lists and without null parameters', async () => {
    const query = { ids: ['a', 'b'], limit: 5, cursor: null, q: '$x & "y"' };
    const answer = await client.request({ path: '/v1/posts', query }, SIGNAL);
    expect(answer).toMatchObject({ kind: 'answer', status: 200, json: { a: 1 } });
    const [seen] = platform.requests;
    expect(seen?.path).toBe('/gateway/v1/posts');
    expect(String(seen?.query)).toBe('ids=a&ids=b&limit=5&q=%24x+%26+%22y%22');
    expect(seen?.headers['x-key']).toBe('k');
  });

  it('reads compressed answers, and limits their decompressed size', async () => {
    const packed = (text: string): Reply => ({
      kind: 'stream',
      write: (response) => response.end(gzipSync(text)),
    });
    reply = packed('{"b":3}');
    // No header says that it is compressed.
    expect(await request()).toMatchObject({ kind: 'answer', json: undefined });
    platform.contentEncoding = 'gzip';
    expect(await request()).toMatchObject({ kind: 'answer', json: { b: 3 } });
    reply = packed(`"${'0'.repeat(5_000_000)}"`);
    expect(await request()).toMatchObject({ kind: 'failed' });
  });

  it('abandons an answer that does not arrive, or arrives too slowly', async () => {
    reply = { kind: 'stream', write: () => undefined };
    const startMs = performance.now();
    expect(await request()).toEqual({
      kind: 'failed',
      message: `${client.label}: no answer within 300 ms`,
    });
    const drops = new Set<NodeJS.Timeout>();
    reply = {
      kind: 'stream',
      write: (response) => {
        drops.add(setInterval(() => response.write(' '), 20));
      },
    };
    expect(await request()).toMatchObject({ kind: 'failed' });
    for (const drop of drops) clearInterval(drop);
    expect(performance.now() - startMs).toBeLessThan(SOON_MS);
  });

  it('follows no redirect, which could send its secrets to another host', async () => {
    const headers = { location: 'http://127.0.0.1:9/elsewhere' };
    reply = { kind: 'json', status: 302, headers, json: {} };
    expect(await request()).toMatchObject({ kind: 'answer', status: 302 });
    expect(platform.requests.length).toBe(1);
  });

  it('names the host and never the rest of the URL in messages', async () => {
    reply = { kind: 'cut', text: '{' };
    const cut = await request();
    await platform.close();
    const refused = await request();
    for (const failure of [cut, refused]) {
      expect(failure.kind).toBe('failed');
      expect(JSON.stringify(failure)).toContain(client.label);
      expect(JSON.stringify(failure)).not.toContain(SECRET);
    }
    platform = await startPlatform();
  });

  it('stops at the signal', async () => {
    reply = { kind: 'stream', write: () => undefined };
    const stopping = new AbortController();
    setTimeout(() => stopping.abort(), 20);
    expect(await client.request({ path: '/' }, stopping.signal)).toEqual({
      kind: 'failed',
      message: `${client.label}: the request was stopped`,
    });
  });
});
