import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { marketBlocks } from '../../../tests/support/market-blocks.ts';
import { decodeBlock } from '../../decoders/decode-block.ts';
import type { SlotFacts } from '../../model/slot-facts.ts';
import { asSlot } from '../../model/units.ts';
import type { RawBlock } from '../recorded/raw-block.ts';
import type { BlockRequest } from '../rpc/nodes/block-fetcher.ts';
import { readBlock } from '../rpc-json/read-block.ts';
import { createDecodePool, DecodePool } from './decode-pool.ts';

const STOPPING_WORKER = new URL('../../../tests/support/stopping-worker.ts', import.meta.url);
const FIRST_SLOT = 1_000;
const blocks = marketBlocks(12, FIRST_SLOT);

function rawBlock(content: string | Uint8Array, slot: number, origin = 'test'): RawBlock {
  return { slot: asSlot(slot), encoding: 'rpc-json', origin, content };
}

/** The same block, decoded on the test's thread. */
function factsOf(block: unknown, slot: number): SlotFacts {
  const reading = readBlock(block, asSlot(slot));
  if (reading.status !== 'ok') throw new Error('the block cannot be read');
  return decodeBlock(reading.value);
}

const never = new AbortController().signal;
const LIMITS = { deadlineMs: 5_000, answerBytesMax: 10_000_000 };

function request(url: string, slot: number): BlockRequest {
  const target = { url, headers: { authorization: 'Basic abc' } };
  return { slot: asSlot(slot), origin: 'node', target, text: '{}', limits: LIMITS, wants: 'facts' };
}

/** A node that answers every request in this way. */
async function startNode(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer((request, response) => {
    request.resume().on('end', () => answer(request, response));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

let pool: DecodePool | null = null;
function open(threads: number, workerUrl?: URL): DecodePool {
  pool = new DecodePool(threads, workerUrl);
  return pool;
}
afterEach(async () => {
  await pool?.close();
  pool = null;
});

describe('a decode pool', () => {
  test.each([1, 2])(
    'of %i threads answers every block with the same facts as one thread',
    async (threads) => {
      const { decode } = open(threads);
      const decoded = await Promise.all(
        blocks.map((block, index) => decode(rawBlock(JSON.stringify(block), FIRST_SLOT + index))),
      );
      expect(decoded).toEqual(
        blocks.map((block, index) => ({
          status: 'decoded',
          facts: factsOf(block, FIRST_SLOT + index),
        })),
      );
    },
  );

  test('accepts bytes that share their memory, and leaves them to their owner', async () => {
    const before = Buffer.from('  ');
    const text = JSON.stringify(blocks[0]);
    const shared = Buffer.concat([before, Buffer.from(text), before]);
    const view = shared.subarray(before.length, before.length + Buffer.byteLength(text));
    const { status } = await open(1).decode(rawBlock(view, FIRST_SLOT));
    expect(status).toBe('decoded');
    expect(view.toString()).toBe(text);
  });

  test.each([
    ['text that is not JSON', '{'],
    ['a document without transactions', '{}'],
    ['a block of another slot', JSON.stringify({ ...blocks[0], slot: 7, parentSlot: 6 })],
    [
      'a block of which transactions are missing',
      JSON.stringify({ ...blocks[0], executedTransactionCount: 99 }),
    ],
  ])('leaves %s to be read by the caller', async (_, content) => {
    const raw = { ...rawBlock(content, FIRST_SLOT), encoding: 'recorded' } as const;
    expect(await open(1).decode(raw)).toEqual({ status: 'unreadable' });
  });

  test.each([
    ['throw', 'the decode worker stopped: this block is too much'],
    ['exit', 'the decode worker stopped: it ended with code 3'],
  ])(
    'answers the block that stops its thread (%s) with the reason, and the others as usual',
    async (origin, message) => {
      const { decode } = open(1, STOPPING_WORKER);
      const origins = ['fine', origin, 'fine', 'fine'];
      const answers = await Promise.all(origins.map((name) => decode(rawBlock('', 1, name))));
      const unreadable = { status: 'unreadable' };
      expect(answers).toEqual([unreadable, { status: 'failed', message }, unreadable, unreadable]);
    },
  );

  test('stops starting threads when each stops at its first block', async () => {
    const { decode } = open(2, STOPPING_WORKER);
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => decode(rawBlock('', 1, 'throw'))),
    );
    const message = 'the decode worker stopped: this block is too much';
    expect(answers).toEqual(answers.map(() => ({ status: 'failed', message })));
    expect(await decode(rawBlock('', 1, 'fine'))).toEqual({ status: 'failed', message });
  });

  test('answers with the reason when its threads cannot start', async () => {
    const { decode } = open(1, new URL('./no-such-worker.ts', import.meta.url));
    const answer = await decode(rawBlock('', 1));
    expect(answer).toMatchObject({
      status: 'failed',
      message: expect.stringMatching(
        /^the decode worker stopped: Cannot find module .*no-such-worker/,
      ),
    });
  });

  test('answers pending and later blocks when it is closed', async () => {
    const closing = open(1, STOPPING_WORKER);
    const outstanding = [1, 2, 3].map((slot) => closing.decode(rawBlock('', slot, 'silent')));
    await closing.close();
    const statuses = (await Promise.all(outstanding)).map(({ status }) => status);
    expect(statuses).toEqual(['failed', 'failed', 'failed']);
    expect(await closing.decode(rawBlock('', 4))).toEqual({
      status: 'failed',
      message: 'the decode workers are closed',
    });
  });
});

describe('a pool as block fetcher', () => {
  test('answers with the facts of the block that the node sends, and sends it the headers', async () => {
    const seen: (string | undefined)[] = [];
    await using node = await startNode((request, response) => {
      seen.push(request.headers.authorization);
      response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: blocks[0] }));
    });
    const answer = await open(1).fetch(request(node.url, FIRST_SLOT), never);
    expect(answer).toEqual({ status: 'decoded', facts: factsOf(blocks[0], FIRST_SLOT) });
    expect(seen).toEqual(['Basic abc']);
  });

  test.each([
    ['an error', JSON.stringify({ error: { code: -32007, message: 'skipped' } })],
    [
      'a block of which transactions are missing',
      JSON.stringify({ result: { ...blocks[0], executedTransactionCount: 99 } }),
    ],
    ['a web page', `<html>${' '.repeat(5_000)}</html>`],
  ])('returns %s as received', async (_, text) => {
    await using node = await startNode((_request, response) => response.end(text));
    const answer = await open(1).fetch(request(node.url, FIRST_SLOT), never);
    expect(answer).toEqual({ status: 'unread', body: Buffer.from(text) });
  });

  test('sends further requests on every thread while answers are pending', async () => {
    let waiting: ServerResponse[] = [];
    await using node = await startNode((_request, response) => {
      waiting.push(response);
      if (waiting.length < 4) return;
      for (const each of waiting) each.end('{}');
      waiting = [];
    });
    const { fetch } = open(2);
    const answers = await Promise.all(
      [1, 2, 3, 4].map((slot) => fetch(request(node.url, slot), never)),
    );
    expect(answers.map(({ status }) => status)).toEqual(['unread', 'unread', 'unread', 'unread']);
  });

  test('reports connection failures, and stops a request that is no longer needed', async () => {
    await using node = await startNode(() => undefined);
    const { fetch } = open(1);
    const late = await fetch(
      { ...request(node.url, 1), limits: { ...LIMITS, deadlineMs: 50 } },
      never,
    );
    expect(late).toMatchObject({ status: 'failed', failure: { name: 'time-out' } });
    const ending = new AbortController();
    const stopped = fetch(request(node.url, 1), ending.signal);
    ending.abort();
    expect(await stopped).toMatchObject({ failure: { name: 'stopped' } });
    const before = await fetch(request(node.url, 1), AbortSignal.abort());
    expect(before).toMatchObject({ failure: { name: 'stopped' } });
  });

  test.each(['throw', 'exit'])(
    'fails the requests of a thread that stops (%s), so they are retried on the next',
    async (origin) => {
      const { fetch } = open(1, STOPPING_WORKER);
      const from = (name: string) => fetch({ ...request('http://unused', 1), origin: name }, never);
      const answers = await Promise.all([from('silent'), from(origin)]);
      for (const answer of answers) {
        expect(answer).toMatchObject({
          status: 'failed',
          failure: { name: 'unfit decoder-stopped', action: 'retry', harm: 'none' },
        });
      }
    },
  );

  test('sends no requests once it is closed', async () => {
    const closing = open(1, STOPPING_WORKER);
    const silent = { ...request('http://unused', 1), origin: 'silent' };
    const outstanding = closing.fetch(silent, never);
    await closing.close();
    expect(await outstanding).toMatchObject({ status: 'failed' });
    expect(await closing.fetch(silent, never)).toMatchObject({ status: 'failed' });
  });
});

describe('the number of threads', () => {
  test('is the configured one, and 0 means none', () => {
    expect(createDecodePool(0)).toBeNull();
    expect(createDecodePool(3, 1)?.aheadMax).toBe(6);
  });

  test.each([
    [1, 1],
    [2, 1],
    [4, 2],
    [64, 8],
  ])('defaults on %i cores to %i', (cores, threads) => {
    expect(createDecodePool(null, cores)?.aheadMax).toBe(2 * threads);
  });
});
