import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { Engine } from '../src/engine/engine.ts';
import { SHADOW_EVERY_SLOTS } from '../src/ingestion/fold-snapshots.ts';
import { asPriceE18 } from '../src/model/units.ts';
import { startScript } from './start-script.ts';
import { startService } from './start-service.ts';
import { fixed, integer, printTable } from './table.ts';
import { TradedSlots } from './traded-slots.ts';

const PORT = 20_100;
const KEY = 'bench-key-0123456789';
/** Slots after the snapshot, before the kill: nearly as many as there are between two snapshots. */
const SLOTS_AFTER_SNAPSHOT = SHADOW_EVERY_SLOTS - 50;
const ANSWERED_WITHIN_MS = 600_000;
const MIB = 2 ** 20;

/** The output of `restart-process.ts`, all lines merged. */
type Reported = Readonly<Record<string, string | number>>;

export interface RestartOptions {
  readonly swaps: number;
  /** All rows are written; otherwise only those that a start reads. */
  readonly isWhole: boolean;
  /** Kept, and reused when it contains the built data; null for a temporary folder. */
  readonly folder: string | null;
}

/**
 * A service with this many stored swaps follows a chain, writes a snapshot meanwhile, is killed,
 * and started again: until it answers, and until its state is proven to equal that of an engine
 * that folds everything itself.
 */
export async function benchRestart({ swaps, isWhole, folder }: RestartOptions): Promise<void> {
  const dataDir = folder ?? mkdtempSync(join(tmpdir(), 'restart-'));
  try {
    if (newestSnapshot(dataDir) === '') {
      const buildMs = await timed(() => run([isWhole ? 'build' : 'state', dataDir, `${swaps}`]));
      console.log(`stored ${integer(swaps)} swaps in ${fixed(buildMs / 1_000, 1)} s`);
    }
    const followed = await followUntilKilled(dataDir, swaps);
    const answered = await startOnce(dataDir);
    const read = await run(['read', dataDir]);
    const reported = await run(['digest', dataDir, `${swaps}`]);
    printTable(`restart after a kill, ${integer(swaps)} swaps stored`, [
      ['measure', 'value'],
      ['snapshot, MiB', fixed(followed.snapshotBytes / MIB, 1)],
      ['following: longest time between two slots, ms', integer(followed.longestMs)],
      ['following: most memory (RSS), MiB', integer(followed.rssMib)],
      ['slots folded at the start', integer(Number(reported.folded))],
      ['process start → first answer, s', fixed(answered.ms / 1_000, 1)],
      ['memory (RSS) at the first answer, MiB', integer(answered.rssMib)],
      ['opening alone, s', fixed(Number(reported.openedMs) / 1_000, 1)],
      ['reading the snapshot, s', fixed(Number(read.readMs) / 1_000, 1)],
    ]);
    const expected = digestOf(swaps, Number(reported.lastSlot));
    if (reported.digest !== expected) throw new Error('digests differ');
    console.log(`the digest is that of an engine that folds everything itself: ${reported.digest}`);
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
  for await (const line of createInterface({ input: stdout })) yield JSON.parse(line) as Reported;
}

async function run(parameters: readonly string[]): Promise<Reported> {
  let reported: Reported = {};
  for await (const line of linesOf(start(parameters))) reported = { ...reported, ...line };
  if (!('closed' in reported)) throw new Error(`${parameters[0]} did not end correctly`);
  return reported;
}

interface Followed {
  readonly longestMs: number;
  readonly rssMib: number;
  readonly snapshotBytes: number;
}

/** Kills the process some slots after it stored a snapshot. */
async function followUntilKilled(dataDir: string, swaps: number): Promise<Followed> {
  const before = newestSnapshot(dataDir);
  const child = start(['follow', dataDir, `${swaps}`]);
  let [longestMs, rssMib, slotsAfter, lastMs] = [0, 0, 0, Number.NaN];
  for await (const line of linesOf(child)) {
    if ('problem' in line) throw new Error(String(line.problem));
    rssMib = Math.max(rssMib, Number(line.rssMib));
    if (!('slot' in line)) continue;
    const nowMs = performance.now();
    if (nowMs - lastMs > longestMs) longestMs = nowMs - lastMs;
    lastMs = nowMs;
    if (newestSnapshot(dataDir) !== before) slotsAfter++;
    if (slotsAfter === SLOTS_AFTER_SNAPSHOT) child.kill('SIGKILL');
  }
  const path = join(dataDir, 'snapshots', newestSnapshot(dataDir));
  return { longestMs, rssMib, snapshotBytes: statSync(path).size };
}

/** Empty text when there is none. */
function newestSnapshot(dataDir: string): string {
  if (!existsSync(join(dataDir, 'snapshots'))) return '';
  const names = readdirSync(join(dataDir, 'snapshots')).filter((name) => name.endsWith('.bin'));
  return names.sort().at(-1) ?? '';
}

async function startOnce(
  dataDir: string,
): Promise<{ readonly ms: number; readonly rssMib: number }> {
  const startMs = performance.now();
  const server = startService({
    ...{ port: PORT, dataDir, key: KEY },
    more: { MINTSCOPE_SOL_USD_FALLBACK: '150' },
  });
  try {
    await untilAnswered(`http://127.0.0.1:${PORT}/v1/indicators/current?pair_address=${aPool()}`);
    return { ms: performance.now() - startMs, rssMib: rssMibOf(server.pid ?? 0) };
  } finally {
    const closed = once(server, 'close');
    server.kill('SIGKILL');
    await closed;
  }
}

/** Status 200: the pool is known, from the snapshot. */
async function untilAnswered(url: string): Promise<void> {
  const deadlineMs = performance.now() + ANSWERED_WITHIN_MS;
  for (;;) {
    const status = await fetch(url, { headers: { 'x-api-key': KEY } }).then(
      (answer) => answer.status,
      () => null,
    );
    if (status === 200) return;
    if (status !== null) throw new Error(`the first answer was ${status}`);
    if (performance.now() > deadlineMs) throw new Error('the server never answered');
    await delay(5);
  }
}

function aPool(): string {
  for (const { transactions } of new TradedSlots(1)) {
    const event = transactions[0]?.events[0];
    if (event?.kind === 'swap') return event.pool;
  }
  throw new Error('the market has no pool');
}

/** Processor time of all threads of a process; NaN when there is no such file. */
function rssMibOf(pid: number): number {
  try {
    const reported = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return Number(reported?.[1]) / 1_024;
  } catch {
    return Number.NaN;
  }
}

/** The oracle: an engine that folds every slot itself, without a store. */
function digestOf(swaps: number, lastSlot: number): string {
  const engine = new Engine({ fallbackSolUsd: asPriceE18(150n * 10n ** 18n) });
  for (const facts of new TradedSlots(swaps)) {
    if (facts.slot > lastSlot) break;
    engine.apply(facts);
  }
  return engine.digest();
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await work();
  return performance.now() - startMs;
}
