import type { AddressInfo } from 'node:net';
import { status } from '@grpc/grpc-js';
import { afterEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { FAILURES_PER_MINUTE_MAX } from '../../src/api/http/failed-keys.ts';
import { createLogger } from '../../src/api/logger.ts';
import { type Api, createApi } from '../../src/bridge/create-api.ts';
import { bindGrpc } from '../../src/bridge/listen.ts';
import { KeyTable } from '../../src/store/control/api-keys.ts';
import { openControlPlane } from '../../src/store/control/control-plane.ts';
import { GrpcReader, grpcClient } from '../support/grpc-client.ts';

const KEY = 'grpc-wiring-test-key';
const FILE = 'guardis/marketdata/v1/market_data.proto';
const SERVICE = 'guardis.marketdata.v1.MarketDataService';
const METHOD = 'StreamMarketData';
/** Open streams per client, over both protocols. */
const STREAMS_MAX = 100;
const PLACE = { port: 0, tlsCertFile: null, tlsKeyFile: null };

interface Opened {
  readonly api: Api;
  readonly keys: KeyTable;
  readonly port: number;
}

let opened: Opened | null = null;
const readers: GrpcReader[] = [];

afterEach(async () => {
  for (const reader of readers.splice(0)) reader.close();
  opened?.api.grpc?.forceShutdown();
  await opened?.api.app.close();
  opened = null;
});

/** Both protocols of one API, as its thread creates them. */
async function open({
  rateLimitPerMinute = 600_000,
  rateLimitBurst = 100_000,
  nowMs = Date.now,
} = {}): Promise<Opened> {
  const keys = new KeyTable(openControlPlane(':memory:'), { nowMs });
  keys.installBootstrap(KEY);
  const api = createApi(
    () => undefined,
    { keys },
    { rateLimitPerMinute, rateLimitBurst, openOps: false, simulation: null, grpc: PLACE },
    createLogger({ level: 'silent' }),
  );
  if (api.grpc === null) throw new Error('there is no server for gRPC');
  const port = await bindGrpc(api.grpc, '127.0.0.1', PLACE);
  opened = { api, keys, port };
  return opened;
}

function read(port: number, key = KEY, request: object = {}): GrpcReader {
  const reader = new GrpcReader(grpcClient(port, FILE, SERVICE), METHOD, { key, request });
  readers.push(reader);
  return reader;
}

describe('H-10 gRPC as the API’s thread configures it', () => {
  test('H-09 ends a stream whose key was revoked', async () => {
    const { keys, port } = await open();
    const reader = read(port);
    await reader.admitted;
    const [key] = keys.list();
    keys.revoke(key?.keyId ?? '');
    expect((await reader.ended).code).toBe(status.UNAUTHENTICATED);
  });

  test('H-09 ends a stream whose key has expired', async () => {
    let nowMs = Date.now();
    const { keys, port } = await open({ nowMs: () => nowMs });
    const expiresAtMs = nowMs + 60_000;
    const { text } = keys.create({ accountId: 'a', scopes: ['read'], label: '', expiresAtMs });
    const reader = read(port, text);
    await reader.admitted;
    nowMs = expiresAtMs;
    expect((await reader.ended).code).toBe(status.UNAUTHENTICATED);
  });

  test('refuses a request of more than 64 KiB', async () => {
    const { port } = await open();
    const names = Array.from({ length: 8_000 }, (_, index) => `dex ${index}`);
    expect((await read(port, KEY, { dex_names: names }).ended).code).toBe(
      status.RESOURCE_EXHAUSTED,
    );
  });

  test('counts calls and requests of a key together', async () => {
    const { api, port } = await open({ rateLimitPerMinute: 1, rateLimitBurst: 2 });
    const headers = { 'x-api-key': KEY };
    for (const expected of [404, 404, 429]) {
      const answer = await api.app.inject({ url: '/v1/nothing', headers });
      expect(answer.statusCode).toBe(expected);
    }
    expect((await read(port).ended).code).toBe(status.RESOURCE_EXHAUSTED);
  });

  test('counts streams of a client together with its WebSockets', async () => {
    const { api, port } = await open();
    for (let count = 0; count < STREAMS_MAX; count++) await read(port).admitted;
    await api.app.listen({ host: '127.0.0.1', port: 0 });
    const place = api.app.server.address() as AddressInfo;
    const url = `ws://127.0.0.1:${place.port}/v1/market-data/ws`;
    const socket = new WebSocket(url, { headers: { 'x-api-key': KEY } });
    const answer = await new Promise((resolve) => {
      socket.on('open', () => resolve('open'));
      socket.on('unexpected-response', (_, response) => resolve(response.statusCode));
      socket.on('error', () => undefined);
    });
    socket.terminate();
    expect(answer).toBe(429);
  });

  test('counts wrong keys of an address together with those over HTTP', async () => {
    const { api, port } = await open();
    const headers = { 'x-api-key': 'wrong' };
    for (let count = 0; count < FAILURES_PER_MINUTE_MAX; count++) {
      expect((await api.app.inject({ url: '/v1/nothing', headers })).statusCode).toBe(401);
    }
    expect((await read(port, 'wrong').ended).code).toBe(status.RESOURCE_EXHAUSTED);
    expect((await api.app.inject({ url: '/v1/nothing', headers })).statusCode).toBe(429);
  });
});
