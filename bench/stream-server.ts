/**
 * The API that `streams.ts` loads, in its own process: publishes five slots a second of changed
 * pools once a client reads, each with its publication time, and reports the cost. Ends with its
 * parent.
 */
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { createLogger } from '../src/api/logger.ts';
import { createApi } from '../src/bridge/create-api.ts';
import { bindGrpc } from '../src/bridge/listen.ts';
import type { PoolRecord } from '../src/model/pool-record.ts';
import { asPriceE18, asSlot, asUsdNano } from '../src/model/units.ts';
import { address } from '../tests/support/build-transaction.ts';
import { fakePool } from '../tests/support/fake-api-deps.ts';

const SLOT_MS = 200;
const HOST = '127.0.0.1';

export interface ServerFigures {
  readonly processorShare: number;
  readonly peakBytes: number;
  readonly steadyBytes: number;
}

const grpcPlace = { port: 0, tlsCertFile: null, tlsKeyFile: null };
const keys = {
  authenticate: (keyId: string) => ({
    keyId,
    accountId: 'bench',
    scopes: ['read'] as const,
    label: '',
    expiresAtMs: null,
  }),
};
const settings = {
  rateLimitPerMinute: 10_000_000,
  rateLimitBurst: 1_000_000,
  openOps: false,
  simulation: null,
  grpc: grpcPlace,
};
const api = createApi(() => undefined, { keys }, settings, createLogger({ level: 'silent' }));
await api.app.listen({ host: HOST, port: 0 });
const port = (api.app.server.address() as AddressInfo).port;
const grpcPort = api.grpc === null ? 0 : await bindGrpc(api.grpc, HOST, grpcPlace);

process.on('message', ({ slots, pools }: { slots: number; pools: number }) => {
  void publish(slots, pools);
});
process.send?.({ port, grpcPort });

async function publish(slots: number, poolCount: number): Promise<void> {
  const pools = Array.from({ length: poolCount }, (_, index) => poolOf(index));
  const startUsage = process.cpuUsage();
  const startMs = performance.now();
  let peakBytes = 0;
  let steadyBytes = 0;
  for (let slot = 1; slot <= slots; slot++) {
    const item = { slot: asSlot(slot), timeMs: Date.now(), solUsd: asPriceE18(150n), pools };
    api.take({ kind: 'streamed', event: { stream: 'marketData', item } });
    await delay(Math.max(0, startMs + slot * SLOT_MS - performance.now()));
    const resident = process.memoryUsage.rss();
    peakBytes = Math.max(peakBytes, resident);
    if (slot === Math.floor(slots / 2)) steadyBytes = resident;
  }
  const { user, system } = process.cpuUsage(startUsage);
  const processorShare = (user + system) / 1_000 / (performance.now() - startMs);
  process.send?.({ processorShare, peakBytes, steadyBytes } satisfies ServerFigures);
}

function poolOf(index: number): PoolRecord {
  return fakePool({
    pool: address(`stream pool ${index}`),
    buyCount: index,
    buyVolumeUsd: asUsdNano(BigInt(index) * 1_234_567_890n),
    priceUsd: asPriceE18(BigInt(index + 1) * 123_456_789_012_345n),
  });
}
