import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { SOON_MS } from '../../../../tests/support/slow-machine.ts';
import { parseEndpoints } from './endpoint.ts';
import { type PostResult, postJson } from './post-json.ts';

const open: Server[] = [];
afterEach(() => {
  for (const server of open.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

/** A busy machine may take seconds to answer: only tests of the deadline use a short one. */
const LIMITS = { deadlineMs: 20_000, answerBytesMax: 1_000_000 };
const SHORT = { ...LIMITS, deadlineMs: 300 };

/** The result of a post to a server that answers in this way, and how many connections it took. */
async function postTo(
  answer: (response: ServerResponse, at: number) => void,
  { posts = 1, path = '/', limits = LIMITS, signal = new AbortController().signal } = {},
): Promise<{ result: PostResult; connections: number }> {
  let connections = 0;
  let requests = 0;
  const server = createServer((request, response) => {
    request.resume().on('end', () => answer(response, requests++));
  });
  server.on('connection', () => connections++);
  open.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const parsed = parseEndpoints(`http://127.0.0.1:${port}${path}`);
  const [endpoint] = parsed.status === 'ok' ? parsed.endpoints : [];
  if (endpoint === undefined) throw new Error('no endpoint');
  let result = await postJson(endpoint, '{}', limits, signal);
  for (let post = 1; post < posts; post++) result = await postJson(endpoint, '{}', limits, signal);
  return { result, connections };
}

describe('posting JSON', () => {
  it('reads plain and compressed answers over connections that stay open', async () => {
    const text = JSON.stringify({ result: 'x'.repeat(50_000) });
    const { result, connections } = await postTo(
      (response, at) => {
        if (at % 2 === 0) response.end(text);
        else response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(text));
      },
      { posts: 20 },
    );
    expect(result.status === 'ok' && result.body.toString()).toBe(text);
    expect(connections).toBeLessThanOrEqual(2);
  });

  it('requests compression', async () => {
    const { result } = await postTo((response) =>
      response.end(String(response.req.headers['accept-encoding'])),
    );
    expect(result.status === 'ok' && result.body.toString()).toContain('gzip');
  });

  it('stops an answer that decompresses beyond the bound, however small it arrives', async () => {
    const bomb = gzipSync(Buffer.alloc(200_000_000));
    expect(bomb.length).toBeLessThan(LIMITS.answerBytesMax);
    const before = process.memoryUsage().rss;
    const { result } = await postTo((response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
    );
    expect(result).toMatchObject({ failure: { name: 'unfit unreadable' } });
    expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
  });

  it.each([
    ['no byte', () => undefined],
    [
      'headers and then nothing',
      (response: ServerResponse) => response.writeHead(200).flushHeaders(),
    ],
    [
      'one byte now and then',
      (response: ServerResponse) => {
        response.writeHead(200);
        const timer = setInterval(() => response.write('x'), 50);
        response.on('close', () => clearInterval(timer));
      },
    ],
  ])('ends after the deadline when the answer is %s', async (_, answer) => {
    const startMs = performance.now();
    const { result } = await postTo(answer, { limits: SHORT });
    expect(result).toMatchObject({ failure: { name: 'time-out', action: 'retry', harm: 'fault' } });
    expect(performance.now() - startMs).toBeLessThan(SOON_MS);
  });

  it.each([
    [
      'a cut body',
      (response: ServerResponse) =>
        response.writeHead(200, { 'content-length': 100 }).write('x', () => response.destroy()),
    ],
    ['a closed connection', (response: ServerResponse) => response.destroy()],
  ])('reports %s as a failure of the connection, without the address', async (_, answer) => {
    const { result } = await postTo((response) => void answer(response), { path: '/s3cr3t-path' });
    expect(result).toMatchObject({ failure: { name: 'connection', harm: 'fault' } });
    expect(JSON.stringify(result)).not.toContain('s3cr3t');
  });

  it('follows no redirect, which would pass a key to another host', async () => {
    const { result } = await postTo((response, at) => {
      if (at === 0) response.writeHead(307, { location: '/elsewhere' }).end();
      else response.end('{}');
    });
    expect(result).toMatchObject({
      status: 'failed',
      failure: { name: 'http 307', harm: 'fault' },
    });
  });

  it.each([
    ['that is not the gzip it claims to be', 'gzip', Buffer.from('plain')],
    ['compressed twice, as bombs are', 'gzip, gzip', gzipSync(gzipSync('{}'))],
    ['with a content encoding that was not requested', 'compress', Buffer.from('{}')],
  ])('does not read a body %s', async (_, encoding, body) => {
    const { result } = await postTo(
      (response) => response.writeHead(200, { 'content-encoding': encoding }).end(body),
      { path: '/s3cr3t-path' },
    );
    expect(result).toMatchObject({ failure: { name: 'unfit unreadable', harm: 'fault' } });
    expect(JSON.stringify(result)).not.toContain('s3cr3t');
  });

  it('retries a request only when it met a connection that was just closed', async () => {
    const { result, connections } = await postTo(
      (response, at) => {
        if (at === 1) response.destroy();
        else response.end('{}');
      },
      { posts: 2 },
    );
    expect(result.status).toBe('ok');
    expect(connections).toBe(2);
  });

  it.each([
    [{ 'retry-after': '7' }, 7_000],
    [{ 'retry-after': '0.5' }, 500],
    [
      { 'retry-after': 'Wed, 21 Oct 2026 07:28:10 GMT', date: 'Wed, 21 Oct 2026 07:28:00 GMT' },
      10_000,
    ],
    [{ 'retry-after': 'soon' }, null],
    [{}, null],
  ])('reads %j of a refusal as %s ms', async (headers, retryAfterMs) => {
    const { result } = await postTo((response) => response.writeHead(429, headers).end('no'));
    expect(result).toMatchObject({ failure: { name: 'http 429', retryAfterMs } });
  });

  it('stops at once on the signal', async () => {
    const stopping = new AbortController();
    setTimeout(() => stopping.abort(), 50);
    const startMs = performance.now();
    const { result } = await postTo(() => undefined, { signal: stopping.signal });
    expect(result).toMatchObject({ failure: { name: 'stopped' } });
    expect(performance.now() - startMs).toBeLessThan(SOON_MS);
  });
});
