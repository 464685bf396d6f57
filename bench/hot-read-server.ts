/**
 * A server that `hot-read-load.ts` loads, as a process of its own: `bare` sends given bytes through
 * node:http, `kept` is the API as it is, `made` is the API that makes every answer anew.
 */
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { createMetrics } from '../src/api/http/metrics.ts';
import { createServer } from '../src/api/server/server.ts';
import { createLiveReads } from '../src/bridge/live-reads.ts';
import { LIVE_LIMITS, LiveView } from '../src/bridge/live-view.ts';
import { RemoteCalls } from '../src/bridge/remote-calls.ts';
import { asSlot } from '../src/model/units.ts';
import { KeyTable } from '../src/store/control/api-keys.ts';
import { openControlPlane } from '../src/store/control/control-plane.ts';
import { fakeApiDeps, SLOT } from '../tests/support/fake-api-deps.ts';
import { hotRows, OTHER_THREAD, poolNumber } from './hot-read-rows.ts';
import { startRowThread } from './row-thread.ts';

export interface ServerRequest {
  readonly kind: 'bare' | 'kept' | 'made';
  readonly pools: number;
  /** What `bare` answers. */
  readonly answer: string;
}

export interface ServerStarted {
  readonly port: number;
  readonly key: string;
}

/** Slots of a chain follow each other in this time. */
const SLOT_MS = 400;

/** The API over rows in memory, or over those of another thread where they do not fit. */
async function startApi({ kind, pools }: ServerRequest): Promise<ServerStarted> {
  const isHeld = pools <= LIVE_LIMITS.indicators;
  const addresses = Array.from({ length: isHeld ? pools : 0 }, (_, number) => poolNumber(number));
  const rows = addresses.flatMap((pool) => hotRows(pool));
  const view = new LiveView(LIVE_LIMITS, () => undefined);
  const rowThread = startRowThread((id, answer) => calls.answered(id, answer));
  const calls = new RemoteCalls(OTHER_THREAD, (message) => rowThread.post(message));
  let slot = Number(SLOT);
  const publish = () => {
    view.publish({
      slot: asSlot(slot++),
      timeMs: Date.now(),
      solUsd: null,
      storedAhead: null,
      standstill: null,
      gaps: null,
      isReplaced: false,
      rows,
    });
  };
  view.keep({ watchId: 1, rows });
  publish();
  setInterval(publish, SLOT_MS);
  const keys = new KeyTable(openControlPlane(':memory:'));
  const request = { accountId: 'a', scopes: ['read'], label: '', expiresAtMs: null } as const;
  const { text: key } = keys.create(request);
  const reads = createLiveReads(view, calls);
  let made = 0;
  const deps = fakeApiDeps({
    keys,
    pools: reads.pools,
    chain: reads.chain,
    metrics: createMetrics(),
    publications: kind === 'made' ? () => made++ : reads.publications,
    nowMs: Date.now,
    steadyNowMs: () => performance.now(),
  });
  const app = createServer(deps, {
    version: '0.0.0',
    rateLimitPerMinute: 100_000_000,
    rateLimitBurst: 1_000_000,
    openOps: false,
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  return { port: (app.server.address() as AddressInfo).port, key };
}

async function startBare({ answer }: ServerRequest): Promise<ServerStarted> {
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  const headers = Object.fromEntries(
    head
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(': ', 2) as [string, string])
      .filter(([name]) => !/^(date|connection|keep-alive)$/i.test(name)),
  );
  const server: Server = createHttpServer((_request, response) => {
    response.writeHead(200, headers);
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port, key: '' };
}

process.once('message', async (request: ServerRequest) => {
  const started = await (request.kind === 'bare' ? startBare(request) : startApi(request));
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send?.(user + system);
  });
  process.send?.(started);
});
