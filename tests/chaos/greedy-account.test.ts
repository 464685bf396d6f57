import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ApiThread } from '../../src/bridge/api-thread.ts';
import { readBlock } from '../../src/chain/rpc-json/read-block.ts';
import type { SourceItem } from '../../src/chain/source.ts';
import { readConfig } from '../../src/config/config.ts';
import { openService, type Service } from '../../src/service/app.ts';
import { address } from '../support/build-transaction.ts';
import { temporaryFolder } from '../support/command-line.ts';
import { itemSource } from '../support/item-source.ts';
import { marketBlocks } from '../support/market-blocks.ts';

const CAT = address('cat mint');
const PARALLEL = 100;
/** Candles computed from swaps and labels, with candles without trades filled in. */
const WORST_READ = `/v1/market/ohlc?token_address=${CAT}&interval=1s&fill=previous&view=organic`;
const TOKENS = '/v1/tokens?search=c&order_by=volume_24h_usd';

interface Answer {
  readonly status: number;
  readonly retryAfter: string | null;
}

function blocks(count: number): SourceItem[] {
  return marketBlocks(count).map((value) => {
    const reading = readBlock(value);
    if (reading.status !== 'ok') throw new Error(`the block was ${reading.status}`);
    return { kind: 'block', block: reading.value };
  });
}

/** The production server over its own store, between two threads as `start` creates them. */
describe('one account that sends as many requests as it can', () => {
  let service: Service;
  let api: ApiThread;
  const keys = { greedy: '', calm: '' };

  beforeAll(async () => {
    const dataDir = temporaryFolder();
    service = await openService(readConfig({}, { dataDir, port: '0', logLevel: 'silent' }));
    for (const accountId of ['greedy', 'calm'] as const) {
      const scopes = ['read', 'triggers:write'] as const;
      keys[accountId] = service.store.keys.create({
        ...{ accountId, scopes, label: '', expiresAtMs: null },
      }).text;
    }
    await service.ingestion.ingest(itemSource(blocks(60), true));
    const limits = { rateLimitPerMinute: 10_000_000, rateLimitBurst: 1_000_000 };
    const settings = { ...limits, dataDir, host: '127.0.0.1', port: 0, openOps: false };
    api = await ApiThread.start(service, {
      settings: { ...settings, logLevel: 'silent', simulation: null },
      lagMaxMs: 60_000,
    });
  });

  afterAll(async () => {
    await api.close(1_000);
    await service.close();
  });

  async function ask(accountId: keyof typeof keys, path: string): Promise<Answer> {
    const answer = await fetch(`http://127.0.0.1:${api.port}${path}`, {
      headers: { 'x-api-key': keys[accountId] },
    });
    await answer.arrayBuffer();
    return { status: answer.status, retryAfter: answer.headers.get('retry-after') };
  }

  test('H-05: its hundred most expensive reads do not delay another account', async () => {
    expect((await ask('calm', WORST_READ)).status).toBe(200);
    let answered = 0;
    const greedy = Array.from({ length: PARALLEL }, async () => {
      const answer = await ask('greedy', WORST_READ);
      if (answer.status === 200) answered++;
      return answer;
    });
    // Sent after all of them, as far as the network keeps the order.
    const refused = await Promise.race(greedy);
    expect(refused.status).toBe(503);
    const calm = await ask('calm', TOKENS);
    const answeredBefore = answered;
    const answers = await Promise.all(greedy);
    expect(calm.status).toBe(200);
    const served = answers.filter(({ status }) => status === 200).length;
    // In a shared queue this answer would come after all admitted reads.
    expect(served).toBeGreaterThanOrEqual(8);
    expect(answeredBefore).toBeLessThan(served / 2);
    const busy = answers.filter(({ status }) => status === 503);
    expect(busy.length + served).toBe(PARALLEL);
    expect(busy.every(({ retryAfter }) => retryAfter === '1')).toBe(true);
  });

  test('no other account is refused because the service is busy', async () => {
    const isDone = { greedy: false };
    const greedy = Promise.all(
      Array.from({ length: PARALLEL }, () => ask('greedy', WORST_READ)),
    ).finally(() => {
      isDone.greedy = true;
    });
    const statuses: number[] = [];
    while (!isDone.greedy) {
      for (const path of [`/v1/token/${CAT}`, TOKENS, '/v1/triggers', `/v1/token/${CAT}/holders`]) {
        statuses.push((await ask('calm', path)).status);
      }
    }
    expect((await greedy).some(({ status }) => status === 503)).toBe(true);
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  test('requests of a disconnected client leave the queue', async () => {
    const left = new AbortController();
    const asked = Array.from({ length: PARALLEL }, () =>
      fetch(`http://127.0.0.1:${api.port}${WORST_READ}`, {
        headers: { 'x-api-key': keys.greedy },
        signal: left.signal,
      }).catch(() => null),
    );
    await Promise.race(asked);
    left.abort();
    await Promise.all(asked);
    // The queue is empty: none of the account's next reads is refused.
    await expect
      .poll(async () => (await metric('mintscope_lane_waiting_requests{lane="query"}')) ?? -1)
      .toBe(0);
    const next = await Promise.all(Array.from({ length: 20 }, () => ask('greedy', TOKENS)));
    expect(new Set(next.map(({ status }) => status))).toEqual(new Set([200]));
  });

  async function metric(name: string): Promise<number | null> {
    const page = await fetch(`http://127.0.0.1:${api.port}/metrics`);
    const line = (await page.text()).split('\n').find((each) => each.startsWith(`${name} `));
    return line === undefined ? null : Number(line.slice(name.length + 1));
  }

  describe('A-18: connections that break the rules', () => {
    /** Everything the server sends until it closes the connection. */
    function send(text: string): Promise<string> {
      return new Promise((resolve) => {
        const socket = connect(api.port, '127.0.0.1', () => socket.write(text));
        let received = '';
        socket.on('data', (chunk: Buffer) => {
          received += chunk.toString('latin1');
        });
        // The server resets a connection whose input it did not read; its answer still counts.
        socket.on('error', () => undefined);
        socket.on('close', () => resolve(received));
      });
    }

    test('a head of a megabyte is answered 431 and closed', async () => {
      const received = await send(`GET / HTTP/1.1\r\nHost: a\r\nX-Large: ${'a'.repeat(1_048_576)}`);
      expect(received).toMatch(/^HTTP\/1\.1 431 /);
    });

    test('ten thousand headers are answered 431 and closed', async () => {
      const received = await send(
        `GET / HTTP/1.1\r\nHost: a\r\n${'X-Many: a\r\n'.repeat(10_000)}\r\n`,
      );
      expect(received).toMatch(/^HTTP\/1\.1 431 /);
    });

    test('a head that never ends is answered 408 and closed', async () => {
      expect(await send('GET /v1/tokens HTTP/1.1\r\nHost: a\r\nX-Slow: ')).toMatch(
        /^HTTP\/1\.1 408 /,
      );
    });

    test('pipelined requests are answered in order, and other accounts in the meantime', async () => {
      const head = `Host: a\r\nX-API-Key: ${keys.greedy}\r\n`;
      const one = `GET /v1/token/${CAT} HTTP/1.1\r\n${head}\r\n`;
      const last = `GET /livez HTTP/1.1\r\n${head}Connection: close\r\n\r\n`;
      const pipelined = send(one.repeat(200) + last);
      expect((await ask('calm', TOKENS)).status).toBe(200);
      const received = await pipelined;
      expect(received.match(/HTTP\/1\.1 200 /g)).toHaveLength(201);
    });
  });
});
