import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { startScript } from './start-script.ts';
import { startService } from './start-service.ts';
import { GrowingMarket } from './state/growing-market.ts';
import { MAINNET_MARKET } from './state/market-options.ts';
import { UnboundedSubject } from './state/state-subject.ts';
import { fixed, integer, printTable } from './table.ts';

const PORT = 20_100;
const KEY = 'bench-key-0123456789';
const WITHIN_MS = 600_000;

/** The output of `restart-process.ts`: the last value of each field. */
type Reported = Readonly<Record<string, string | number | boolean | null>>;

/**
 * A service with this many stored swaps follows a market with mainnet's mix, is killed when a
 * checkpoint is nearly complete, and started again: until its first answer, until it has applied
 * its log, and until its state is proven to equal that of an engine that applied everything itself.
 * A given folder is used, continued and kept. Rejects if no checkpoint comes to where a kill is due.
 */
export async function benchRestart(swaps: number, folder: string | null): Promise<void> {
  const dataDir = folder ?? mkdtempSync(join(tmpdir(), 'mintscope-restart-'));
  try {
    const followed = await followUntilKilled(dataDir, swaps);
    const started = await startOnce(dataDir, String(followed.pool));
    const reported = await lastOf(start(['digest', dataDir]));
    printTable(`restart after a kill, ${integer(Number(followed.swaps))} swaps stored`, [
      ['measure', 'value'],
      ['slots after the newest checkpoint', integer(slotsAfter(followed))],
      ['process start → first answer, s', fixed(started.answeredMs / 1_000, 1)],
      ['process start → the log is applied, s', fixed(started.readyMs / 1_000, 1)],
      ['memory (RSS) when killed, MiB', integer(Number(followed.residentMiB))],
    ]);
    const expected = digestOf(Number(reported.slot));
    if (reported.digest !== expected) throw new Error('digests differ');
    console.log('the digest is that of an engine that applied everything itself');
  } finally {
    if (folder === null) rmSync(dataDir, { recursive: true, force: true });
  }
}

function start(parameters: readonly string[]): ChildProcess {
  const script = resolve(import.meta.dirname, 'restart-process.ts');
  const { environment, options } = startScript();
  return spawn(process.execPath, [...options, script, ...parameters], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...environment },
  });
}

async function* linesOf({ stdout }: ChildProcess): AsyncGenerator<Reported> {
  if (stdout === null) return;
  let last: Reported = {};
  for await (const line of createInterface({ input: stdout })) {
    last = { ...last, ...(JSON.parse(line) as Reported) };
    if (last.problem !== undefined) throw new Error(String(last.problem));
    yield last;
  }
}

async function lastOf(child: ChildProcess): Promise<Reported> {
  let last: Reported = {};
  for await (const line of linesOf(child)) last = line;
  if (!('isClosed' in last)) throw new Error('the process did not end by itself');
  return last;
}

async function followUntilKilled(dataDir: string, swaps: number): Promise<Reported> {
  const child = start(['follow', dataDir, String(swaps)]);
  let last: Reported = {};
  try {
    for await (const line of linesOf(child)) last = line;
  } finally {
    // After a problem it may follow the market still, which has no end.
    child.kill('SIGKILL');
  }
  if (last.isKilled !== true) throw new Error('the process was not killed, and ended by itself');
  return last;
}

function slotsAfter({ slot, checkpoint }: Reported): number {
  return Number(slot) - Number(checkpoint);
}

async function startOnce(
  dataDir: string,
  pool: string,
): Promise<{ readonly answeredMs: number; readonly readyMs: number }> {
  const startMs = performance.now();
  const server = startService({
    port: PORT,
    dataDir,
    key: KEY,
    more: { MINTSCOPE_SOL_USD_FALLBACK: '150' },
  });
  try {
    const origin = `http://127.0.0.1:${PORT}`;
    await untilOk(`${origin}/v1/indicators/current?pair_address=${pool}`, [404], 5);
    const answeredMs = performance.now() - startMs;
    await untilOk(`${origin}/readyz`, [503], 200);
    return { answeredMs, readyMs: performance.now() - startMs };
  } finally {
    const closed = once(server, 'close');
    server.kill('SIGKILL');
    await closed;
  }
}

/** Until it is answered with 200, or with 404 by a state in which the pool is not there yet. */
async function untilOk(url: string, others: readonly number[], pauseMs: number): Promise<void> {
  const deadlineMs = performance.now() + WITHIN_MS;
  for (;;) {
    const status = await fetch(url, { headers: { 'x-api-key': KEY } }).then(
      (answer) => answer.status,
      () => null,
    );
    if (status === 200 || (status === 404 && others.includes(404))) return;
    if (status !== null && !others.includes(status))
      throw new Error(`${url} was answered ${status}`);
    if (performance.now() > deadlineMs) throw new Error(`${url} was not answered in time`);
    await delay(pauseMs);
  }
}

/** The oracle: an engine that applies every slot itself, without a store. */
function digestOf(lastSlot: number): string {
  const { engine } = new UnboundedSubject();
  const market = new GrowingMarket(MAINNET_MARKET);
  while (market.nextSlot <= lastSlot) engine.apply(market.next());
  return engine.digest();
}
