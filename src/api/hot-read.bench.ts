/**
 * GET /v1/indicators/current through the whole server, against a bare node:http server that sends
 * the same bytes. Run it with `node src/api/hot-read.bench.ts`; budget: ARCHITECTURE §7.
 *
 * Each server is its own process; the parent loads them in turns over kept-alive connections and
 * also reads each server's CPU time, which the load generator cannot disturb.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, connect, type Server } from 'node:net';
import { fileURLToPath } from 'node:url';
import {
  fakeApiDeps,
  fakeIndicators,
  fakeKey,
  fakePool,
  POOL,
} from '../../tests/support/fake-api-deps.ts';
import { createLiveReads } from '../bridge/live-reads.ts';
import { LIVE_LIMITS, LiveView } from '../bridge/live-view.ts';
import { RemoteCalls } from '../bridge/remote-calls.ts';
import { asPriceE18, asUsdNano } from '../model/units.ts';
import { createMetrics } from './http/metrics.ts';
import { createServer } from './server/server.ts';

export interface HotRead {
  /** Median over the rounds. */
  readonly requestsPerSecond: number;
  /** Minimum over the rounds: disturbances can only add to it. */
  readonly cpuMicrosPerRequest: number;
}

export interface HotReadComparison {
  readonly api: HotRead;
  readonly bare: HotRead;
  /** Median of each round's ratio of requests per second, api to bare. */
  readonly requestRatio: number;
}

const KEY = 'tik_bench_0123456789abcdefghijklmnopqrstuvwxyz';
const REQUEST =
  `GET /v1/indicators/current?pair_address=${POOL} HTTP/1.1\r\n` +
  `Host: localhost\r\nX-API-Key: ${KEY}\r\n\r\n`;
const CONNECTIONS = 32;

/** Loads both servers in turns, `rounds` times `roundMs` each, after one round to warm up. */
export async function measureHotRead({
  rounds,
  roundMs,
}: {
  readonly rounds: number;
  readonly roundMs: number;
}): Promise<HotReadComparison> {
  const api = await startServer('api', '');
  const bare = await startServer('bare', await readAnswer(api.port));
  const turns: { readonly api: HotRead; readonly bare: HotRead }[] = [];
  for (let round = 0; round <= rounds; round++) {
    turns.push({ bare: await load(bare, roundMs), api: await load(api, roundMs) });
  }
  api.child.kill();
  bare.child.kill();
  const measured = turns.slice(1);
  return {
    api: summarise(measured.map((turn) => turn.api)),
    bare: summarise(measured.map((turn) => turn.bare)),
    requestRatio: median(
      measured.map((turn) => turn.api.requestsPerSecond / turn.bare.requestsPerSecond),
    ),
  };
}

interface Running {
  readonly child: ChildProcess;
  readonly port: number;
}

async function startServer(kind: string, answer: string): Promise<Running> {
  const child = fork(fileURLToPath(import.meta.url), [kind], { serialization: 'advanced' });
  child.send(answer);
  return { child, port: Number(await nextMessage(child)) };
}

function nextMessage(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve) => child.once('message', resolve));
}

function readAnswer(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(REQUEST));
    socket.once('error', reject);
    socket.once('data', (bytes) => {
      socket.destroy();
      resolve(bytes.toString('latin1'));
    });
  });
}

async function load({ child, port }: Running, roundMs: number): Promise<HotRead> {
  const lengthBytes = (await readAnswer(port)).length;
  let bytes = 0;
  const sockets = Array.from({ length: CONNECTIONS }, () => {
    const socket = connect(port, '127.0.0.1', () => socket.write(REQUEST));
    let pendingBytes = 0;
    socket.on('data', (chunk) => {
      bytes += chunk.length;
      pendingBytes += chunk.length;
      // The length of a response occasionally changes by a digit of its counters.
      if (pendingBytes < lengthBytes - 8) return;
      pendingBytes = 0;
      socket.write(REQUEST);
    });
    return socket;
  });
  const before = { bytes, cpuMicros: await askCpuMicros(child), at: performance.now() };
  await new Promise((resolve) => setTimeout(resolve, roundMs));
  const seconds = (performance.now() - before.at) / 1_000;
  const requests = (bytes - before.bytes) / lengthBytes;
  const cpuMicros = (await askCpuMicros(child)) - before.cpuMicros;
  for (const socket of sockets) socket.destroy();
  return { requestsPerSecond: requests / seconds, cpuMicrosPerRequest: cpuMicros / requests };
}

async function askCpuMicros(child: ChildProcess): Promise<number> {
  child.send('cpu');
  return Number(await nextMessage(child));
}

function summarise(turns: readonly HotRead[]): HotRead {
  return {
    requestsPerSecond: median(turns.map((turn) => turn.requestsPerSecond)),
    cpuMicrosPerRequest: Math.min(...turns.map((turn) => turn.cpuMicrosPerRequest)),
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? Number.NaN;
}

/** Key lookup as the service does it, metrics as the service counts them, a pool with figures. */
async function startApi(): Promise<Server> {
  const digest = createHash('sha256').update(KEY).digest('hex');
  const keys = new Map([[digest, fakeKey('bench', ['read'])]]);
  const indicators = fakeIndicators({
    totalWallets: 1_824,
    organicWallets: 1_225,
    organicToTotalWalletsRatio: 0.6716,
    botToTotalWalletsRatio: 0.3284,
    totalVolumeUsd: asUsdNano(1_284_729_470_000_000n),
    organicVolumeUsd: asUsdNano(611_531_230_000_000n),
    organicMeanHoldSeconds: 3_847.25,
    smartMoneyScore: 72.45,
    priceUsd: asPriceE18(346_289_000_000_000n),
    rawHolders: 847,
  });
  const view = new LiveView(LIVE_LIMITS, () => undefined);
  view.keep({
    watchId: 1,
    rows: [
      { kind: 'pool', address: POOL, value: fakePool() },
      { kind: 'indicators', address: POOL, value: indicators },
    ],
  });
  const calls = new RemoteCalls(
    { openMax: 1, openPerAccountMax: 1, waitMs: 1_000, pastWaitMs: 1_000 },
    () => undefined,
  );
  const deps = fakeApiDeps({
    keys: {
      authenticate: (presented) =>
        keys.get(createHash('sha256').update(presented).digest('hex')) ?? null,
    },
    pools: createLiveReads(view, calls).pools,
    metrics: createMetrics(),
    nowMs: () => Date.now(),
  });
  const app = createServer(deps, {
    version: '0.0.0',
    rateLimitPerMinute: 100_000_000,
    rateLimitBurst: 1_000_000,
    openOps: false,
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  return app.server;
}

async function startBare(answer: string): Promise<Server> {
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  const headers = Object.fromEntries(
    head
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(': ', 2) as [string, string])
      .filter(([name]) => !/^(date|connection|keep-alive)$/i.test(name)),
  );
  const server = createHttpServer((_request, response) => {
    response.writeHead(200, headers);
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

async function serve(kind: string): Promise<void> {
  const answer = await new Promise<string>((resolve) => process.once('message', resolve));
  const server = await (kind === 'api' ? startApi() : startBare(answer));
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send?.(user + system);
  });
  process.send?.((server.address() as AddressInfo).port);
}

async function report(): Promise<void> {
  const { api, bare, requestRatio } = await measureHotRead({ rounds: 15, roundMs: 700 });
  const line = (name: string, { requestsPerSecond, cpuMicrosPerRequest }: HotRead): string =>
    `${name.padEnd(10)} ${requestsPerSecond.toFixed(0).padStart(7)} requests/s ` +
    `${cpuMicrosPerRequest.toFixed(2).padStart(6)} µs CPU\n`;
  const cpuRatio = bare.cpuMicrosPerRequest / api.cpuMicrosPerRequest;
  process.stdout.write(
    line('api', api) +
      line('node:http', bare) +
      `ratio      ${requestRatio.toFixed(3)} by requests/s, ${cpuRatio.toFixed(3)} by CPU\n`,
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await (process.argv[2] === undefined ? report() : serve(process.argv[2]));
}
