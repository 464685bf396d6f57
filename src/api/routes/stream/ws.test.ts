import type { AddressInfo, Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { buildClassification } from '../../../../tests/support/build-classification.ts';
import { buildListing } from '../../../../tests/support/build-signal.ts';
import { buildTrade } from '../../../../tests/support/build-trade.ts';
import { e18 } from '../../../../tests/support/build-trades.ts';
import { buildFiring } from '../../../../tests/support/build-trigger.ts';
import {
  fakeApiDeps,
  fakeCandle,
  fakeIndicators,
  fakePool,
  fakeToken,
  fakeWallet,
  MINT,
  OTHER_MINT,
  OTHER_POOL,
  POOL,
  READ_KEY,
  REVIEW_KEY,
  SLOT_TIME_MS,
  WALLET,
} from '../../../../tests/support/fake-api-deps.ts';
import { fakeApiServer } from '../../../../tests/support/fake-api-server.ts';
import { refusalOf, StreamReader } from '../../../../tests/support/stream-reader.ts';
import type { SlotFrame, SlotItem } from '../../../model/slot-frame.ts';
import type { Trade } from '../../../model/trade.ts';
import { asSlot, asUsdNano } from '../../../model/units.ts';
import type { ApiDeps } from '../../deps.ts';
import { BUFFERED_BYTES_MAX } from '../../streams/stream-client.ts';
import { OPERATIONS_BURST } from '../../streams/topics/topic-socket.ts';
import { OPERATION_BYTES_MAX, PING_MS } from '../../streams/web-sockets.ts';

const servers: FastifyInstance[] = [];

afterEach(async () => {
  vi.useRealTimers();
  for (const server of servers.splice(0)) await server.close();
});

async function serving(overrides: Partial<ApiDeps> = {}) {
  const deps = fakeApiDeps(overrides);
  const server = fakeApiServer(deps);
  servers.push(server);
  await server.listen({ port: 0, host: '127.0.0.1' });
  const { port } = server.server.address() as AddressInfo;
  const url = `ws://127.0.0.1:${port}/v1/stream`;
  const take = (slot: number, items: readonly SlotItem[], rest: Partial<SlotFrame> = {}) =>
    deps.hub.take(frame(slot, items, rest));
  return { hub: deps.hub, server, url, take };
}

function frame(slot: number, items: readonly SlotItem[], rest: Partial<SlotFrame> = {}): SlotFrame {
  const context = { timeMs: SLOT_TIME_MS, solUsd: e18(150), finalSlot: asSlot(1) };
  return { slot: asSlot(slot), ...context, isUndone: false, items, ...rest };
}

/** A client that has received the greeting. */
async function connect(url: string, key = READ_KEY) {
  const reader = await StreamReader.open(url, key);
  await reader.until(1);
  const send = (operation: unknown) =>
    reader.socket.send(typeof operation === 'string' ? operation : JSON.stringify(operation));
  /** Sends an operation and returns the next message. */
  const ask = async (operation: unknown) => {
    const count = reader.messages.length;
    send(operation);
    return (await reader.until(count + 1))[count];
  };
  const next = async (count: number) => {
    const from = reader.messages.length;
    return (await reader.until(from + count)).slice(from);
  };
  return { ...reader, reader, send, ask, next };
}

const pool = (address = POOL): SlotItem => ({ topic: 'pool', pool: fakePool({ pool: address }) });
const subscribePool = { op: 'subscribe', id: 'a', topic: 'pool', params: { pair_address: POOL } };

describe('WS /v1/stream', () => {
  test('greets with its limits, and acknowledges a subscription with seq and slot', async () => {
    const { url } = await serving();
    const { reader, ask } = await connect(url);
    expect(reader.messages[0]).toMatchObject({
      op: 'hello',
      seq: 1_000,
      limits: { subscriptions: 500, buffered_bytes: 1_048_576, retained_seconds: 3_600 },
    });
    expect(await ask(subscribePool)).toEqual({
      op: 'ack',
      id: 'a',
      seq: 1_000,
      slot: 300_000_000,
    });
  });

  test('sends what was selected, and nothing else', async () => {
    const { url, take } = await serving();
    const { ask, next } = await connect(url);
    await ask(subscribePool);
    const received = next(1);
    take(2, [pool(OTHER_POOL)]);
    take(3, [pool(POOL), pool(OTHER_POOL)]);
    const [message] = await received;
    expect(Object.keys(message ?? {})).toEqual(['id', 'topic', 'seq', 'slot', 'data']);
    expect(message).toMatchObject({
      id: 'a',
      topic: 'pool',
      seq: 1_002,
      slot: 3,
      data: { pair_address: POOL, token_address: MINT, sol_price_usd: '150' },
    });
  });

  test('takes back what was sent for a slot, with the same data, the last first', async () => {
    const { url, take } = await serving();
    const { ask, next } = await connect(url);
    await ask({ op: 'subscribe', id: 7, topic: 'pool' });
    const received = next(4);
    take(2, [pool(POOL), pool(OTHER_POOL)]);
    take(2, [pool(POOL), pool(OTHER_POOL)], { isUndone: true, solUsd: null });
    const [first, second, undoneSecond, undoneFirst] = await received;
    expect(undoneFirst).toEqual({ ...first, seq: 1_004, undo: true });
    expect(undoneSecond).toEqual({ ...second, seq: 1_003, undo: true });
  });

  test.each<[string, object, SlotItem, object]>([
    [
      'token',
      { token_address: MINT },
      { topic: 'token', token: fakeToken({ name: 'A' }) },
      { token: { token_address: MINT, name: 'A' }, social_links: [] },
    ],
    [
      'wallet',
      { wallet_address: WALLET },
      { topic: 'wallet', address: WALLET, wallet: fakeWallet() },
      { wallet_address: WALLET, positions: [] },
    ],
    [
      'candles',
      { token_address: MINT },
      { topic: 'candles', candle: fakeCandle(0) },
      { open: '1.5' },
    ],
    [
      'indicators',
      { token_address: MINT },
      { topic: 'indicators', minute: { minuteMs: 0, record: fakeIndicators() } },
      { pair_address: POOL, status: 'active' },
    ],
    [
      'findings',
      { token_address: buildClassification().finding.mint },
      { topic: 'findings', finding: { classification: buildClassification(), status: 'active' } },
      { id: buildClassification().id, status: 'active' },
    ],
    [
      'new_tokens',
      {},
      { topic: 'new_tokens', token: fakeToken() },
      { token: { token_address: MINT } },
    ],
    ['signals', {}, { topic: 'signals', signal: buildListing({ rowId: 3 }) }, { row_id: 3 }],
    ['chain', {}, { topic: 'chain' }, { slot: 9, final_slot: 1, sol_price_usd: '150' }],
  ])('sends %s in the shape of their endpoint', async (topic, params, item, data) => {
    const { url, take } = await serving();
    const { ask, next } = await connect(url);
    expect(await ask({ op: 'subscribe', id: 1, topic, params })).toMatchObject({ op: 'ack' });
    const received = next(1);
    take(9, [item]);
    expect(await received).toMatchObject([{ id: 1, topic, slot: 9, data }]);
  });

  test('sends the trades of a token, a pool or a wallet, of one side if asked', async () => {
    const { url, take } = await serving();
    const { ask, next } = await connect(url);
    const trade = (given: Partial<Trade>): SlotItem => ({
      topic: 'trades',
      trade: buildTrade({ slot: asSlot(5), pool: POOL, mint: MINT, wallet: WALLET, ...given }),
    });
    await ask({ op: 'subscribe', id: 'token', topic: 'trades', params: { token_address: MINT } });
    await ask({
      op: 'subscribe',
      id: 'wallet',
      topic: 'trades',
      params: { wallet_address: WALLET },
    });
    await ask({
      ...{ op: 'subscribe', id: 'sells', topic: 'trades' },
      params: { pair_address: POOL, side: 'sell' },
    });
    const other = { token_address: OTHER_MINT };
    await ask({ op: 'subscribe', id: 'none', topic: 'trades', params: other });
    const received = next(5);
    take(5, [trade({ txIndex: 1, isFinal: false }), trade({ txIndex: 2, side: 'sell' })]);
    const messages = await received;
    expect(messages.map(({ id, seq }) => [id, seq])).toEqual([
      ['token', 1_001],
      ['wallet', 1_001],
      ['sells', 1_002],
      ['token', 1_002],
      ['wallet', 1_002],
    ]);
    expect(messages[0]?.data).toMatchObject({
      trade_id: '5-1-3--1',
      commitment: 'confirmed',
      pair_address: POOL,
      token_address: MINT,
      wallet_address: WALLET,
      side: 'buy',
      token_amount: '1.500000',
      quote_amount: '0.250000000',
      value_usd: '50.00',
    });
  });

  test.each<[object, readonly number[]]>([
    [{}, [1, 2, 3, 4]],
    [{ side: 'sell' }, [2]],
    [{ min_value_usd: '50' }, [1, 2]],
    [{ min_value_usd: '49.999999999' }, [1, 2]],
    [{ min_value_usd: '50.000000001' }, []],
    [{ class: 'all' }, [1, 2, 3, 4]],
    [{ class: 'organic' }, [1, 2, 4]],
    [{ class: 'bot' }, [3]],
    [{ side: 'buy', class: 'organic', min_value_usd: '0' }, [1]],
  ])('sends only the trades of %j', async (params, expected) => {
    const { url, take } = await serving();
    const { ask, reader, send } = await connect(url);
    await ask({ op: 'subscribe', id: 1, topic: 'trades', params });
    const valueUsd = asUsdNano(50_000_000_000n);
    const trades = [
      buildTrade({ txIndex: 1, valueUsd }),
      buildTrade({ txIndex: 2, valueUsd, side: 'sell' }),
      buildTrade({ txIndex: 3, valueUsd: null, walletClass: 'bot', isOrganic: false }),
      buildTrade({ txIndex: 4, valueUsd: null }),
    ];
    take(
      5,
      trades.map((trade) => ({ topic: 'trades', trade })),
    );
    send({ op: 'ping' });
    await vi.waitFor(() => expect(reader.messages.at(-1)).toMatchObject({ op: 'pong' }));
    const seqs = reader.messages.filter(({ topic }) => topic === 'trades').map(({ seq }) => seq);
    expect(seqs).toEqual(expected.map((index) => 1_000 + index));
  });

  test('sends trigger events of the own account only', async () => {
    const { url, hub } = await serving();
    const { ask, next } = await connect(url);
    await ask({ op: 'subscribe', id: 1, topic: 'triggers' });
    const received = next(1);
    const fired = (accountId: string, number: number) => ({
      kind: 'fired' as const,
      firing: buildFiring({ accountId, number }),
    });
    hub.takeTriggerEvents([fired('account of other', 1), fired('account of reader', 2)]);
    expect(await received).toMatchObject([{ topic: 'triggers', data: { seq: 2 } }]);
  });

  test('sends nothing after unsubscribing, and the id can be used again', async () => {
    const { url, take } = await serving();
    const { ask, reader } = await connect(url);
    await ask(subscribePool);
    expect(await ask({ op: 'unsubscribe', id: 'a' })).toEqual({ op: 'ack', id: 'a', seq: 1_000 });
    take(2, [pool()]);
    expect(await ask({ op: 'ping', id: 'p' })).toEqual({ op: 'pong', id: 'p', seq: 1_001 });
    expect(await ask(subscribePool)).toMatchObject({ op: 'ack', seq: 1_000 });
    // Reads need not include the slot yet, so it is sent.
    expect((await reader.until(6))[5]).toMatchObject({ id: 'a', seq: 1_001 });
  });

  test('resumes after a message, and reports what is no longer available', async () => {
    const { url, take } = await serving();
    const first = await connect(url);
    await first.ask(subscribePool);
    const received = first.next(3);
    for (const slot of [2, 3, 4]) take(slot, [pool()]);
    await received;
    await first.reader.close();
    const second = await connect(url);
    expect(await second.ask({ ...subscribePool, since: 1_001 })).toMatchObject({ seq: 1_001 });
    expect((await second.reader.until(4)).slice(2)).toMatchObject([{ seq: 1_002 }, { seq: 1_003 }]);
    await second.ask({ ...subscribePool, id: 'old', since: 5 });
    expect((await second.reader.until(9)).slice(5)).toMatchObject([
      { op: 'gap', id: 'old', from_seq: 6, to_seq: 1_000, seq: 1_000 },
      { seq: 1_001 },
      { seq: 1_002 },
      { seq: 1_003 },
    ]);
    await second.ask({ ...subscribePool, id: 'ahead', since: 2_000 });
    expect((await second.reader.until(11))[10]).toEqual({
      op: 'gap',
      id: 'ahead',
      from_seq: 1_004,
      to_seq: 2_000,
      seq: 2_000,
    });
  });

  test('reports messages that were missed once for all subscriptions', async () => {
    const { url, hub, take } = await serving();
    const { ask, next } = await connect(url);
    await ask(subscribePool);
    await ask({ ...subscribePool, id: 'b' });
    const received = next(3);
    hub.take(null);
    take(3, [pool()]);
    expect(await received).toMatchObject([
      { op: 'gap', id: null, from_seq: 1_001, to_seq: 1_001, seq: 1_001 },
      { id: 'a', seq: 1_002 },
      { id: 'b', seq: 1_002 },
    ]);
  });
});

describe('an operation of WS /v1/stream', () => {
  const subscribe = { op: 'subscribe', id: 'x', topic: 'pool' };

  test.each<[string, unknown, number, string | null]>([
    ['no JSON', '{', 400, null],
    ['no object', '[1]', 400, null],
    ['no operation', { id: 'x' }, 422, 'x'],
    ['another operation', { op: 'publish', id: 'x' }, 422, 'x'],
    ['no id', { op: 'subscribe', topic: 'pool' }, 422, null],
    ['an empty id', { ...subscribe, id: '' }, 422, null],
    ['a long id', { ...subscribe, id: 'x'.repeat(65) }, 422, null],
    ['an id that is no text', { ...subscribe, id: { a: 1 } }, 422, null],
    ['no topic', { op: 'subscribe', id: 'x' }, 422, 'x'],
    ['an unknown topic', { ...subscribe, topic: 'pools' }, 422, 'x'],
    ['a topic of the prototype', { ...subscribe, topic: 'constructor' }, 422, 'x'],
    ['params that are no object', { ...subscribe, params: [] }, 422, 'x'],
    ['an unknown parameter', { ...subscribe, params: { pool: POOL } }, 400, 'x'],
    ['a bad address', { ...subscribe, params: { pair_address: 'abc' } }, 422, 'x'],
    ['an address of another type', { ...subscribe, params: { pair_address: 5 } }, 422, 'x'],
    ['two scopes', { ...subscribe, params: { pair_address: POOL, token_address: MINT } }, 422, 'x'],
    ['a missing scope', { ...subscribe, topic: 'token' }, 422, 'x'],
    ['an unknown side', { ...subscribe, topic: 'trades', params: { side: 'up' } }, 422, 'x'],
    [
      'a model that does not exist',
      { ...subscribe, topic: 'signals', params: { model_name: 'a' } },
      422,
      'x',
    ],
    ['another account', { ...subscribe, topic: 'triggers', params: { account: 'b' } }, 400, 'x'],
    ['a bad position', { ...subscribe, since: -1 }, 422, 'x'],
    ['a position that is no number', { ...subscribe, since: '5' }, 422, 'x'],
    ['an unknown subscription', { op: 'unsubscribe', id: 'x' }, 404, 'x'],
  ])('is refused with %s, and the connection stays', async (_, operation, code, id) => {
    const { url } = await serving();
    const { ask } = await connect(url);
    expect(await ask(operation)).toEqual({
      op: 'error',
      id,
      code,
      message: expect.stringMatching(/[.?]$/),
    });
    expect(await ask({ op: 'ping' })).toMatchObject({ op: 'pong' });
  });

  test('is refused for an id in use', async () => {
    const { url } = await serving();
    const { ask } = await connect(url);
    await ask(subscribePool);
    expect(await ask({ ...subscribePool, topic: 'chain', params: {} })).toMatchObject({
      code: 409,
    });
  });

  test('is refused beyond 500 subscriptions', async () => {
    const { url } = await serving();
    const { send, reader } = await connect(url);
    for (let id = 0; id <= 500; id++) send({ op: 'subscribe', id, topic: 'chain' });
    const messages = await reader.until(502);
    expect(messages.filter(({ op }) => op === 'ack')).toHaveLength(500);
    // A refusal does not wait for the engine's thread as acks do, so it may precede the last of them.
    const refusals = messages.filter(({ op }) => op === 'error');
    expect(refusals).toMatchObject([{ op: 'error', id: 500, code: 429 }]);
  });

  test('in binary is refused', async () => {
    const { url } = await serving();
    const { reader } = await connect(url);
    reader.socket.send(Buffer.from('{"op":"ping"}'));
    expect((await reader.until(2))[1]).toMatchObject({ op: 'error', code: 400 });
  });

  test('that is too large closes the connection', async () => {
    const { url } = await serving();
    const { reader, send } = await connect(url);
    send({ op: 'ping', id: 'x'.repeat(OPERATION_BYTES_MAX) });
    expect([1009, 1006]).toContain(await reader.closed);
  });

  test('too many of which close the connection with 1008', async () => {
    const { url } = await serving({ steadyNowMs: () => 1 });
    const { reader, send } = await connect(url);
    for (let count = 0; count <= OPERATIONS_BURST; count++) send({ op: 'ping' });
    expect(await reader.closed).toBe(1008);
    expect(reader.messages.filter(({ op }) => op === 'pong')).toHaveLength(OPERATIONS_BURST);
  });
});

describe('a connection of WS /v1/stream', () => {
  test.each([
    ['no key', '', null, 401],
    ['a wrong key', '', 'tik_wrong', 401],
    ['a key without the scope', '', REVIEW_KEY, 403],
    ['a position, which belongs to a subscription', '?since=1', READ_KEY, 400],
    ['an unknown ticket', '?ticket=abc', null, 401],
  ])('is refused with %s', async (_, query, key, status) => {
    const { url } = await serving();
    const headers: Record<string, string> = key === null ? {} : { 'x-api-key': key };
    expect(await refusalOf(url + query, headers)).toMatchObject({ status, body: { code: status } });
  });

  test('is closed with 1013 for a client that stops reading, and its subscriptions end', async () => {
    const { url, hub, take } = await serving();
    const { ask, reader } = await connect(url);
    await ask({ op: 'subscribe', id: 1, topic: 'pool' });
    reader.socket.pause();
    // A client that says goodbye too late is cut off: here it may take its time.
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    const items = Array.from({ length: 500 }, () => pool());
    // Kernel buffers take several megabytes before this process has to buffer anything.
    const sentMax = (BUFFERED_BYTES_MAX + 16_000_000) / 300 / items.length;
    for (let slot = 2; slot < sentMax && hub.subscriptions > 0; slot++) {
      take(slot, items);
      await new Promise((resolve) => setImmediate(resolve));
    }
    reader.socket.resume();
    expect(await reader.closed).toBe(1013);
    vi.useRealTimers();
    await vi.waitFor(() => expect(hub.subscriptions).toBe(0));
  });

  test('is cut off when its client does not answer pings', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const { url, hub } = await serving();
    const { ask, reader } = await connect(url);
    await ask(subscribePool);
    reader.socket.pause();
    vi.advanceTimersByTime(PING_MS);
    vi.advanceTimersByTime(PING_MS);
    await vi.waitFor(() => expect(hub.subscriptions).toBe(0));
    reader.socket.resume();
    expect(await reader.closed).toBe(1006);
  });

  test('is closed with 1008 soon after its key was revoked', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    let isRevoked = false;
    const { keys } = fakeApiDeps();
    const { url } = await serving({
      keys: { authenticate: (text) => (isRevoked ? null : keys.authenticate(text)) },
    });
    const { reader } = await connect(url);
    isRevoked = true;
    vi.advanceTimersByTime(5_000);
    expect(await reader.closed).toBe(1008);
  });

  test('is compressed if the client wants it', async () => {
    const { url, take } = await serving();
    const { ask, next, reader } = await connect(url);
    expect(reader.socket.extensions).toContain('permessage-deflate');
    await ask({ op: 'subscribe', id: 1, topic: 'token', params: { token_address: MINT } });
    const socket = Reflect.get(reader.socket, '_socket') as Socket;
    const before = socket.bytesRead;
    const received = next(1);
    const name = 'n'.repeat(50_000);
    take(2, [{ topic: 'token', token: fakeToken({ name }) }]);
    expect(await received).toMatchObject([{ data: { token: { name } } }]);
    expect(socket.bytesRead - before).toBeLessThan(5_000);
  });
});
