import { fork } from 'node:child_process';
import { Agent, get } from 'node:http';
import { fileURLToPath } from 'node:url';
import { fixed, integer, printTable } from './table.ts';

const PROCESS = fileURLToPath(new URL('./serving-process.ts', import.meta.url));
const REQUESTS_PER_SECOND = 400;

interface Asked {
  readonly port: number;
  readonly key: string;
  readonly pools: readonly string[];
  readonly mints: readonly string[];
}

interface Folded {
  readonly blocks: number;
  readonly transactions: number;
  readonly busyMs: readonly number[];
}

/** Hot reads while five full blocks a second are folded, on one thread and on two. */
export async function benchServing(): Promise<void> {
  const rows: string[][] = [];
  for (const threads of ['one', 'two']) {
    const { folded, latencies } = await measure(threads);
    const seconds = folded.busyMs.reduce((sum, ms) => sum + ms, 0) / 1_000;
    rows.push([
      threads,
      integer(folded.transactions / folded.blocks),
      fixed((1_000 * seconds) / folded.blocks, 1),
      integer(latencies.length),
      ...[0.5, 0.9, 0.99, 1].map((share) => fixed(quantile(latencies, share), 2)),
    ]);
  }
  printTable('Hot reads at 400/s while 5 blocks/s are decoded and folded, ms', [
    ['threads', 'tx/block', 'ms/block', 'requests', 'p50', 'p90', 'p99', 'max'],
    ...rows,
  ]);
}

async function measure(
  threads: string,
): Promise<{ readonly folded: Folded; readonly latencies: readonly number[] }> {
  const child = fork(PROCESS, [threads], { serialization: 'advanced' });
  const next = <Message>() =>
    new Promise<Message>((resolve) =>
      child.once('message', (message) => resolve(message as Message)),
    );
  const { port, key, pools, mints } = await next<Asked>();
  const paths = [
    ...pools.map((pool) => `/v1/indicators/current?pair_address=${pool}`),
    ...mints.map((mint) => `/v1/token/${mint}`),
  ];
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const ask = (index: number) => {
    const path = paths[index % paths.length];
    return timed({ port, path, agent, headers: { 'x-api-key': key } });
  };
  for (const [index] of paths.entries()) await ask(index);
  const folded = next<Folded>();
  child.send('go');
  const latencies: Promise<number>[] = [];
  let isOver = false;
  const over = folded.then(() => {
    isOver = true;
  });
  const startMs = performance.now();
  while (!isOver) {
    const due = ((performance.now() - startMs) * REQUESTS_PER_SECOND) / 1_000;
    while (latencies.length < due) latencies.push(ask(latencies.length));
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  await over;
  agent.destroy();
  return { folded: await folded, latencies: await settled(latencies) };
}

/** Errors of the last requests, after the service was closed, do not count. */
async function settled(latencies: readonly Promise<number>[]): Promise<number[]> {
  const results = await Promise.allSettled(latencies);
  return results
    .filter(({ status }) => status === 'fulfilled')
    .map((result) => Object(result).value);
}

function timed(options: object): Promise<number> {
  const startMs = performance.now();
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', ...options }, (response) => {
      response.resume();
      response.once('end', () => resolve(performance.now() - startMs));
    }).once('error', reject);
  });
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}
