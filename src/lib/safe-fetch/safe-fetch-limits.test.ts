import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { SOON_MS } from '../../../tests/support/slow-machine.ts';
import {
  listenHttp,
  listenRaw,
  type TestServer,
} from '../../../tests/support/stranger-listeners.ts';
import { createSafeFetch, type SafeFetchSettings } from './safe-fetch.ts';

const MEBIBYTE = 1_048_576;
const IMPATIENT = { totalTimeoutMs: 400 };
const servers: TestServer[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function outcomeOf(
  server: TestServer,
  sizeMaxBytes = 1_000,
  settings: Partial<SafeFetchSettings> = {},
) {
  servers.push(server);
  const fetch = createSafeFetch({
    isHttpAllowed: true,
    ports: [server.port],
    isAddressAllowed: (address) => address === '127.0.0.1',
    resolve: async () => ['127.0.0.1'],
    // The timeout only matters in tests of it: a busy machine may take seconds for an answer.
    totalTimeoutMs: 20_000,
    ...settings,
  });
  return await fetch(`http://name.test:${server.port}/`, { sizeMaxBytes });
}

/** Writes the text repeatedly until the socket closes. */
function repeat(socket: Socket, text: string, everyMs: number): void {
  const timer = setInterval(() => socket.write(text), everyMs);
  socket.on('close', () => clearInterval(timer));
}

describe('S-10: a body', () => {
  it('without an end is cut off at the maximum size', async () => {
    const server = await listenHttp((_, response) => {
      const more = (): void => {
        while (response.write('x'.repeat(1_000)));
        response.once('drain', more);
      };
      more();
    });
    expect(await outcomeOf(server)).toMatchObject({ reason: 'body-too-large' });
  });

  it('with a declared size above the maximum is not read', async () => {
    const server = await listenRaw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 99999999\r\n\r\n');
    });
    expect(await outcomeOf(server)).toMatchObject({ reason: 'body-too-large' });
  });

  it('of exactly the maximum size is complete, and one byte more is too large', async () => {
    const of = async (size: number) =>
      await outcomeOf(await listenHttp((_, response) => response.end('x'.repeat(size))));
    expect(await of(1_000)).toMatchObject({ kind: 'ok' });
    expect(await of(1_001)).toMatchObject({ reason: 'body-too-large' });
  });

  it('shorter than declared is broken', async () => {
    const server = await listenRaw((socket) => {
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\nshort');
    });
    expect(await outcomeOf(server)).toMatchObject({ reason: 'broken-answer' });
  });

  it('that arrives one byte at a time is cut off at the timeout', async () => {
    const server = await listenRaw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 5000\r\n\r\n');
      repeat(socket, 'x', 20);
    });
    const started = performance.now();
    expect(await outcomeOf(server, 10_000, IMPATIENT)).toMatchObject({ reason: 'timed-out' });
    // The whole body would take a hundred seconds.
    expect(performance.now() - started).toBeLessThan(SOON_MS);
  });
});

describe('S-10: headers', () => {
  it('that never end are cut off at their maximum size or at the timeout', async () => {
    const many = await listenRaw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      repeat(socket, `x-more: ${'y'.repeat(1_000)}\r\n`, 1);
    });
    expect(await outcomeOf(many, 1_000, { totalTimeoutMs: 20_000 })).toMatchObject({
      reason: 'headers-too-large',
    });
    const slow = await listenRaw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      repeat(socket, 'x-more: y\r\n', 50);
    });
    expect(await outcomeOf(slow, 1_000, IMPATIENT)).toMatchObject({ reason: 'timed-out' });
  });

  it('that never arrive end with the timeout', async () => {
    const server = await listenRaw(() => undefined);
    expect(await outcomeOf(server, 10_000, IMPATIENT)).toMatchObject({ reason: 'timed-out' });
  });

  it('that are not HTTP are broken', async () => {
    const server = await listenRaw((socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n'));
    expect(await outcomeOf(server)).toMatchObject({ reason: 'broken-answer' });
  });
});

describe('S-12: an encoded body', () => {
  const coded = async (coding: string, body: Buffer) =>
    await listenHttp((_, response) => {
      response.writeHead(200, { 'content-encoding': coding }).end(body);
    });

  it('is returned decoded', async () => {
    const outcome = await outcomeOf(await coded('gzip', gzipSync('hello')));
    expect(outcome.kind === 'ok' && Buffer.from(outcome.body).toString()).toBe('hello');
  });

  it('that is a decompression bomb is cut off at the maximum size, with bounded memory', async () => {
    const bomb = gzipSync(Buffer.alloc(256 * MEBIBYTE));
    const server = await coded('gzip', bomb);
    const [memory, cpu] = [process.memoryUsage.rss(), process.cpuUsage()];
    const outcome = await outcomeOf(server, MEBIBYTE);
    const spent = process.cpuUsage(cpu);
    expect(outcome).toMatchObject({ reason: 'body-too-large' });
    expect(process.memoryUsage.rss() - memory).toBeLessThan(32 * MEBIBYTE);
    expect(spent.user + spent.system).toBeLessThan(1_000_000);
  });

  it.each(['br', 'zstd', 'deflate', 'gzip, gzip', Array(1_000).fill('gzip').join(',')])(
    'in a coding that was not requested is refused: %.20s',
    async (coding) => {
      expect(await outcomeOf(await coded(coding, Buffer.from('x')))).toMatchObject({
        reason: 'content-coding',
      });
    },
  );

  it('that does not match its coding, or ends early, is broken', async () => {
    expect(await outcomeOf(await coded('gzip', Buffer.from('plain')))).toMatchObject({
      reason: 'broken-answer',
    });
    const whole = gzipSync('hello hello hello');
    expect(await outcomeOf(await coded('gzip', whole.subarray(0, 12)))).toMatchObject({
      reason: 'broken-answer',
    });
  });

  it('whose header has no end is cut off on the wire', async () => {
    const server = await listenHttp((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      // Flag 8: a file name follows, up to a zero that never arrives.
      response.write(Buffer.from([31, 139, 8, 8, 0, 0, 0, 0, 0, 3]));
      response.on('error', () => undefined);
      const more = (): void => {
        while (!response.destroyed && response.write('n'.repeat(10_000)));
        response.once('drain', more);
      };
      more();
    });
    expect(await outcomeOf(server)).toMatchObject({ reason: 'broken-answer' });
  });
});

describe('A name', () => {
  it('that is not resolved in time ends the request', async () => {
    const server = await listenHttp((_, response) => response.end());
    const resolve = async () => await new Promise<readonly string[]>(() => undefined);
    const settings = { ...IMPATIENT, resolve };
    expect(await outcomeOf(server, 10, settings)).toMatchObject({ reason: 'timed-out' });
  });
});
