import { status } from '@grpc/grpc-js';
import { afterEach, describe, expect, test } from 'vitest';
import { FailedKeys } from '../../src/api/http/failed-keys.ts';
import { createRateLimiter, type RateLimit } from '../../src/api/http/rate-limit.ts';
import { createLogger } from '../../src/api/logger.ts';
import type { BoundedGrpcServer } from '../../src/api/streams/grpc/bounded-grpc-server.ts';
import { createGrpcServer } from '../../src/api/streams/grpc/grpc-server.ts';
import { StreamLimit } from '../../src/api/streams/stream-limit.ts';
import { Topic } from '../../src/api/streams/topic.ts';
import { createApi } from '../../src/bridge/create-api.ts';
import { bindGrpc } from '../../src/bridge/listen.ts';
import type { PoolBlock } from '../../src/model/streamed.ts';
import type { Slot } from '../../src/model/units.ts';
import {
  fakeApiDeps,
  fakeKey,
  fakePool,
  NOW_MS,
  READ_KEY,
  WRITE_KEY,
} from '../support/fake-api-deps.ts';
import { GrpcReader, grpcClient } from '../support/grpc-client.ts';

const TOO_MANY = 'Too many requests for this API key.';
/** Every key has the scope `read`, and is its own id. */
const keys = { authenticate: (presented: string) => fakeKey(presented, ['read']) };
const place = { port: 0, tlsCertFile: null, tlsKeyFile: null };

let server: BoundedGrpcServer | null = null;
let port = 0;

afterEach(() => server?.forceShutdown());

async function bind(bound: BoundedGrpcServer): Promise<void> {
  server = bound;
  port = await bindGrpc(bound, '127.0.0.1', place);
}

async function serve(
  limit: RateLimit,
  deps: Partial<Parameters<typeof createGrpcServer>[0]> = {},
): Promise<void> {
  const limits = {
    rateLimiter: createRateLimiter(limit),
    streamLimit: new StreamLimit(),
    failedKeys: new FailedKeys(),
  };
  await bind(createGrpcServer({ ...fakeApiDeps(), ...deps }, limits));
}

function open(key?: string, request: object = {}): GrpcReader {
  const service = 'guardis.marketdata.v1.MarketDataService';
  const client = grpcClient(port, 'guardis/marketdata/v1/market_data.proto', service);
  return new GrpcReader(client, 'StreamMarketData', {
    request,
    ...(key !== undefined && { key }),
  });
}

/** Opens a stream and closes it at once: 'open', or the refusal. */
async function call(key?: string, request: object = {}) {
  const reader = open(key, request);
  const answer = await Promise.race([reader.admitted.then(() => 'open' as const), reader.ended]);
  reader.close();
  return answer === 'open' ? answer : { code: answer.code, details: answer.details };
}

describe('rate limit of calls over gRPC', () => {
  test('refuses the call after the burst, with the message of HTTP, until the stated time', async () => {
    let nowMs = NOW_MS;
    // One request is refilled every three seconds.
    await serve({ perMinute: 20, burst: 2 }, { nowMs: () => nowMs });
    expect([await call(READ_KEY), await call(READ_KEY)]).toEqual(['open', 'open']);
    const refused = open(READ_KEY);
    const end = await refused.ended;
    refused.close();
    expect(end).toMatchObject({ code: status.RESOURCE_EXHAUSTED, details: TOO_MANY });
    expect(end.metadata.get('retry-after')).toEqual(['3']);
    nowMs += 2_999;
    expect(await call(READ_KEY)).toEqual({ code: status.RESOURCE_EXHAUSTED, details: TOO_MANY });
    nowMs += 1;
    expect(await call(READ_KEY)).toBe('open');
  });

  test('does not limit other keys', async () => {
    await serve({ perMinute: 20, burst: 1 }, { keys });
    expect(await call('one')).toBe('open');
    expect(await call('one')).toMatchObject({ code: status.RESOURCE_EXHAUSTED });
    expect(await call('other')).toBe('open');
  });

  test('counts refused calls of a valid key too, and is checked before the scope', async () => {
    await serve({ perMinute: 20, burst: 1 });
    const nonsense = { dex_names: ['Nope'] };
    expect(await call(READ_KEY, nonsense)).toMatchObject({ code: status.INVALID_ARGUMENT });
    expect(await call(READ_KEY, nonsense)).toMatchObject({ code: status.RESOURCE_EXHAUSTED });
    expect(await call(WRITE_KEY)).toMatchObject({ code: status.PERMISSION_DENIED });
    expect(await call(WRITE_KEY)).toMatchObject({ code: status.RESOURCE_EXHAUSTED });
  });

  test('counts no call without a valid key', async () => {
    await serve({ perMinute: 20, burst: 1 });
    for (const key of [undefined, 'tik_wrong', undefined, 'tik_wrong']) {
      expect(await call(key)).toMatchObject({ code: status.UNAUTHENTICATED });
    }
  });

  test('counts no message of an open stream, and ends no stream when the budget is used up', async () => {
    const onWanted = () => undefined;
    const limits = { keptMs: 60_000, weightMax: 1_000, nowMs: () => 1, onWanted };
    const marketData = new Topic<PoolBlock>(limits);
    const { streams } = fakeApiDeps();
    await serve({ perMinute: 20, burst: 1 }, { streams: { ...streams, marketData } });
    const reader = open(READ_KEY);
    await reader.admitted;
    expect(await call(READ_KEY)).toMatchObject({ code: status.RESOURCE_EXHAUSTED });
    for (let slot = 1; slot <= 5; slot++) {
      marketData.push({ slot: slot as Slot, timeMs: null, solUsd: null, pools: [fakePool()] }, 1);
    }
    const told = await reader.until(5);
    expect(told.map((message) => message.block_number)).toEqual(['1', '2', '3', '4', '5']);
    reader.close();
  });
});

describe('HTTP and gRPC of one service', () => {
  const settings = {
    ...{ rateLimitPerMinute: 1, rateLimitBurst: 3, openOps: false, simulation: null },
    grpc: place,
  };

  test('share the budget of a key', async () => {
    const logger = createLogger({ level: 'silent' });
    const { app, grpc } = createApi(() => undefined, { keys }, settings, logger);
    if (grpc === null) throw new Error('gRPC is not served');
    await bind(grpc);
    const get = (key: string) => app.inject({ url: '/nothing', headers: { 'x-api-key': key } });
    expect((await get('shared')).headers['ratelimit-remaining']).toBe('2');
    expect(await call('shared')).toBe('open');
    expect((await get('shared')).headers['ratelimit-remaining']).toBe('0');
    expect(await call('shared')).toEqual({ code: status.RESOURCE_EXHAUSTED, details: TOO_MANY });
    const refused = await get('shared');
    expect([refused.statusCode, refused.json().message]).toEqual([429, TOO_MANY]);
    expect((await get('other')).headers['ratelimit-remaining']).toBe('2');
    await app.close();
  });
});
