import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import {
  fakeApiDeps,
  fakePool,
  MINT,
  OTHER_POOL,
  POOL,
  READ_KEY,
  REVIEW_KEY,
} from '../../../tests/support/fake-api-deps.ts';
import { fakeApiServer } from '../../../tests/support/fake-api-server.ts';
import { refusalOf, StreamReader } from '../../../tests/support/stream-reader.ts';
import type { LockedLiquidity } from '../../model/pool-record.ts';
import type { PoolBlock } from '../../model/streamed.ts';
import { asPriceE18, asRawAmount, asSlot } from '../../model/units.ts';
import type { ApiDeps } from '../deps.ts';
import { ReachedSlots } from '../http/reached-slots.ts';
import { BUFFERED_BYTES_MAX } from './stream-client.ts';
import { StreamLimit } from './stream-limit.ts';
import { Topic } from './topic.ts';
import { PING_MS } from './web-sockets.ts';

const servers: FastifyInstance[] = [];

afterEach(async () => {
  vi.useRealTimers();
  for (const server of servers.splice(0)) await server.close();
});

/** A server with an empty market data stream, and its address. */
async function serving(overrides: Partial<ApiDeps> = {}, streamLimit = new StreamLimit()) {
  const market = new Topic<PoolBlock>({
    keptMs: 60_000,
    weightMax: 1_000_000,
    nowMs: () => 1,
    onWanted: () => undefined,
  });
  const streams = { ...fakeApiDeps().streams, marketData: market };
  const server = fakeApiServer({ streams, ...overrides }, { streamLimit });
  servers.push(server);
  await server.listen({ port: 0, host: '127.0.0.1' });
  const { port } = server.server.address() as AddressInfo;
  return { market, server, port, url: `ws://127.0.0.1:${port}` };
}

const block = (slot: number, pools = [fakePool()]): PoolBlock => ({
  slot: asSlot(slot),
  timeMs: 1_700_000_000_000,
  solUsd: asPriceE18(150_500_000_000_000_000_000n),
  pools,
});

describe('A-20 a WebSocket', () => {
  test('is opened with the key in the header or in the query', async () => {
    const { url } = await serving();
    for (const [query, key] of [
      ['', READ_KEY],
      [`?api_key=${READ_KEY}`, null],
    ] as const) {
      const reader = await StreamReader.open(`${url}/v1/triggers/ws${query}`, key);
      expect(await reader.until(1)).toEqual([
        { type: 'connected', message: 'Successfully connected to triggers stream' },
      ]);
      await reader.close();
    }
  });

  test.each([
    ['no key', '/v1/triggers/ws', {}, 401],
    ['a wrong key', '/v1/triggers/ws?api_key=tik_wrong', {}, 401],
    ['two keys', `/v1/triggers/ws?api_key=${READ_KEY}&api_key=${READ_KEY}`, {}, 401],
    ['a key without the scope', '/v1/triggers/ws', { 'x-api-key': REVIEW_KEY }, 403],
    ['an unknown parameter', '/v1/triggers/ws?sinse=1', { 'x-api-key': READ_KEY }, 400],
    ['an unknown path', '/v1/nothing/ws', { 'x-api-key': READ_KEY }, 404],
    ['an invalid position', '/v1/triggers/ws?since=-1', { 'x-api-key': READ_KEY }, 400],
    ['an unknown program', '/v1/market-data/ws?dex-name=Nope', { 'x-api-key': READ_KEY }, 422],
  ])('is refused with the common error body for %s', async (_, path, headers, status) => {
    const { url } = await serving();
    const refusal = await refusalOf(url + path, headers as Record<string, string>);
    expect(refusal).toEqual({
      status,
      body: { code: status, message: expect.stringMatching(/[.?]$/) },
    });
  });

  test('is refused when the key already has as many streams open as allowed', async () => {
    const limit = new StreamLimit(1);
    const { url } = await serving({}, limit);
    const path = `${url}/v1/market-data/ws`;
    const first = await StreamReader.open(path, READ_KEY);
    expect((await refusalOf(path, { 'x-api-key': READ_KEY })).status).toBe(429);
    await first.close();
    while (limit.size > 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await (await StreamReader.open(path, READ_KEY)).close();
  });

  test('answers 400 to a GET without an upgrade', async () => {
    const { server } = await serving();
    const answer = await server.inject({
      url: '/v1/triggers/ws',
      headers: { 'x-api-key': READ_KEY },
    });
    expect(answer.json()).toEqual({
      code: 400,
      message: 'This path is a WebSocket: open it with an upgrade.',
    });
  });

  test('answers 400 to a broken handshake, with the common error body', async () => {
    const { port } = await serving();
    const socket = connect(port, '127.0.0.1');
    socket.write(
      'GET /v1/triggers/ws HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n' +
        `x-api-key: ${READ_KEY}\r\nsec-websocket-version: 13\r\n\r\n`,
    );
    let text = '';
    for await (const chunk of socket) text += chunk;
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    expect(JSON.parse(text.slice(text.indexOf('\r\n\r\n')))).toMatchObject({ code: 400 });
  });

  test.each([
    ['no key', ''],
    ['a key, in a broken handshake', `x-api-key: ${READ_KEY}\r\n`],
  ])(
    'that is refused with %s holds no connection, though its client never ends it',
    async (_, key) => {
      const { port, server } = await serving();
      const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
      socket.on('error', () => undefined).resume();
      socket.write(
        'GET /v1/triggers/ws HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n' +
          `${key}sec-websocket-version: 13\r\n\r\n`,
      );
      await new Promise((resolve) => socket.once('end', resolve));
      const open = () =>
        new Promise((resolve) => server.server.getConnections((_error, count) => resolve(count)));
      await vi.waitFor(async () => expect(await open()).toBe(0), 10_000);
      socket.destroy();
    },
  );

  test('ignores upgrades to other protocols', async () => {
    const { port } = await serving();
    const socket = connect(port, '127.0.0.1');
    socket.write(
      'GET /livez HTTP/1.1\r\nhost: x\r\nconnection: upgrade, close\r\nupgrade: h2c\r\n\r\n',
    );
    let text = '';
    for await (const chunk of socket) text += chunk;
    expect(text).toMatch(/^HTTP\/1\.1 200 /);
  });

  test('is closed with 1001 when the service stops', async () => {
    const { url, server } = await serving();
    const reader = await StreamReader.open(`${url}/v1/market-data/ws`, READ_KEY);
    void server.close();
    expect(await reader.closed).toBe(1001);
  });

  test('is refused when the slot that it waits for is reached after the service began to stop', async () => {
    const reached = new ReachedSlots(60_000);
    const waits = vi.spyOn(reached, 'until');
    const { url, server } = await serving({ reached });
    const reader = await StreamReader.open(`${url}/v1/market-data/ws`, READ_KEY);
    const client = new WebSocket(`${url}/v1/market-data/ws`, {
      headers: { 'x-api-key': READ_KEY, 'x-min-slot': '9' },
    });
    const answered = new Promise<number | undefined>((resolve) => {
      client.on('unexpected-response', (_, { statusCode }) => resolve(statusCode));
      client.on('open', () => resolve(101));
    });
    // It is ended below.
    client.on('error', () => undefined);
    await vi.waitFor(() => expect(waits).toHaveBeenCalled());
    const closed = server.close();
    try {
      expect(await reader.closed).toBe(1001);
      reached.publish(asSlot(9));
      expect(await answered).toBe(503);
    } finally {
      client.terminate();
      await closed;
    }
  });

  test('is kept while its client answers pings, and cut off when it does not', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const limit = new StreamLimit();
    const { url } = await serving({}, limit);
    const path = `${url}/v1/market-data/ws`;
    const [awake, asleep] = [
      await StreamReader.open(path, READ_KEY),
      await StreamReader.open(path, READ_KEY),
    ];
    asleep.socket.pause();
    for (let turn = 0; turn < 2; turn++) {
      const pinged = new Promise((resolve) => awake.socket.once('ping', resolve));
      vi.advanceTimersByTime(PING_MS);
      await pinged;
      // The pong is still in transit.
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    asleep.socket.resume();
    expect(await asleep.closed).toBe(1006);
    expect(limit.size).toBe(1);
    await awake.close();
  });

  test('is closed with 1008 within five seconds of its key being revoked', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    let isRevoked = false;
    const { keys } = fakeApiDeps();
    const { url } = await serving({
      keys: { authenticate: (text) => (isRevoked ? null : keys.authenticate(text)) },
    });
    const reader = await StreamReader.open(`${url}/v1/market-data/ws`, READ_KEY);
    isRevoked = true;
    vi.advanceTimersByTime(5_000);
    expect(await reader.closed).toBe(1008);
  });

  test('is closed with 1013 for a client that stops reading', async () => {
    const { market, url } = await serving();
    const reader = await StreamReader.open(`${url}/v1/market-data/ws`, READ_KEY);
    market.push(block(1), 1);
    await reader.until(1);
    reader.socket.pause();
    const pools = Array.from({ length: 500 }, () => fakePool());
    const sizeBytes = 500 * JSON.stringify({ pair_address: POOL, token_address: MINT }).length;
    // Kernel buffers take several megabytes before this process has to buffer anything.
    const messages = Math.ceil((BUFFERED_BYTES_MAX + 16_000_000) / sizeBytes);
    for (let slot = 2; slot < 2 + messages && market.readers > 0; slot++) {
      market.push(block(slot, pools), 1);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(market.readers).toBe(0);
    reader.socket.resume();
    expect(await reader.closed).toBe(1013);
  });
});

describe('GET /v1/market-data/ws', () => {
  test('sends the changed pools of a slot, keys in the order of the contract', async () => {
    const { market, url } = await serving();
    const reader = await StreamReader.open(`${url}/v1/market-data/ws`, READ_KEY);
    const amount = (raw: bigint) => asRawAmount(raw);
    const locked: LockedLiquidity = { issuedRaw: amount(100n), lockedRaw: amount(90n) };
    const pool = fakePool({
      buyCount: 3,
      sellCount: 2,
      price: asPriceE18(500_000_000_000_000_000n),
      priceUsd: asPriceE18(75_250_000_000_000_000_000n),
      athPriceUsd: asPriceE18(80_000_000_000_000_000_000n),
      lockedLiquidity: locked,
      reserves: {
        ...{ base: amount(1_500_000n), quote: amount(2_000_000_000n) },
        ...{ virtualBase: null, virtualQuote: null },
      },
    });
    market.push(block(9, [pool]), 1);
    const [message] = await reader.until(1);
    expect(message).toEqual({
      block_number: 9,
      timestamp: '2023-11-14T22:13:20.000Z',
      pools: [
        {
          pair_address: POOL,
          token_address: MINT,
          is_liquidity_locked: true,
          sol_amount: '2.000000000',
          token_amount: '1.500000',
          sol_price_usd: '150.5',
          price_sol: '0.5',
          price_usd: '75.25',
          number_of_buys: 3,
          number_of_sells: 2,
          buy_volume_usd: '0.00',
          sell_volume_usd: '0.00',
          total_volume_usd: '0.00',
          ath_token_price_usd: '80',
        },
      ],
      seq: 1_001,
    });
    const [listed] = (message?.pools ?? []) as readonly object[];
    expect(Object.keys(listed ?? {})).toEqual([
      ...['pair_address', 'token_address', 'is_liquidity_locked', 'sol_amount', 'token_amount'],
      ...['sol_price_usd', 'price_sol', 'price_usd', 'number_of_buys', 'number_of_sells'],
      ...['buy_volume_usd', 'sell_volume_usd', 'total_volume_usd', 'ath_token_price_usd'],
    ]);
    await reader.close();
  });

  test('sends only pools of the programs that are requested, and no slot without any', async () => {
    const { market, url } = await serving();
    const path = `${url}/v1/market-data/ws?dex-name=PumpFun,RaydiumV4`;
    const reader = await StreamReader.open(path, READ_KEY);
    market.push(block(1), 1);
    market.push(block(2, [fakePool(), fakePool({ pool: OTHER_POOL, venue: 'pump' })]), 1);
    expect(await reader.until(1)).toMatchObject([
      { block_number: 2, pools: [{ pair_address: OTHER_POOL }] },
    ]);
    await reader.close();
  });

  test('resumes after a position, and first reports the gap', async () => {
    const { market, url } = await serving();
    for (const slot of [1, 2, 3]) market.push(block(slot), 1);
    const resumed = await StreamReader.open(`${url}/v1/market-data/ws?since=1002`, READ_KEY);
    expect(await resumed.until(1)).toMatchObject([{ block_number: 3, seq: 1_003 }]);
    await resumed.close();
    const old = await StreamReader.open(`${url}/v1/market-data/ws?since=7`, READ_KEY);
    expect(await old.until(4)).toMatchObject([
      { type: 'gap', from_seq: 8, to_seq: 1_000, seq: 1_000 },
      { block_number: 1 },
      { block_number: 2 },
      { block_number: 3 },
    ]);
    await old.close();
  });
});

test('messages of clients are read no further than a kilobyte', async () => {
  const { url } = await serving();
  const socket = new WebSocket(`${url}/v1/market-data/ws?api_key=${READ_KEY}`);
  await new Promise((resolve) => socket.once('open', resolve));
  socket.send('x'.repeat(2_000));
  const code = await new Promise((resolve) => socket.once('close', resolve));
  // Too big (RFC 6455 §7.4.1), or cut off in transit.
  expect([1009, 1006]).toContain(code);
});
