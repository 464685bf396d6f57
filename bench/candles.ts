import type { Address } from '../src/model/units.ts';
import type { CandleView } from '../src/store/reads/candles.ts';
import type { Store } from '../src/store/store.ts';
import { type FilledMarket, withFilledStore } from './filled-store.ts';
import { fixed, integer, printTable } from './table.ts';

const READS = 200;
const WARM_READS = 20;
const CANDLES = 500;
const INTERVALS_MS = [30_000, 60_000, 300_000, 900_000, 3_600_000];

/** Reads the newest 500 candles at every interval from a store of so many swaps. */
export async function benchCandles(swaps: number, folder: string | null): Promise<void> {
  await withFilledStore(swaps, folder, async (store, market) => {
    const rows: string[][] = [];
    for (const intervalMs of INTERVALS_MS) {
      for (const view of ['all', 'organic'] as const) {
        for (const [name, scopeOf] of scopesOf(market)) {
          const row = await readCandles(store, { intervalMs, endMs: market.endMs, view, scopeOf });
          rows.push([name, ...row]);
        }
      }
    }
    printTable(`the last ${CANDLES} candles of ${integer(swaps)} swaps`, [
      ['scope', 'interval', 'candles', 'p50 ms', 'p99 ms', 'CPU ms'],
      ...rows,
    ]);
  });
}

interface Scope {
  readonly scope: Address;
  readonly isPool: boolean;
}

/** Drawn by trade weight, as requests are. */
function scopesOf({ drawPool, drawToken, poolOf }: FilledMarket): [string, () => Scope][] {
  return [
    ['pool', () => ({ scope: drawPool(), isPool: true })],
    ['most traded pool', () => ({ scope: poolOf(0), isPool: true })],
    ['token', () => ({ scope: drawToken(), isPool: false })],
  ];
}

interface Reading {
  readonly intervalMs: number;
  readonly endMs: number;
  readonly view: CandleView;
  readonly scopeOf: () => Scope;
}

async function readCandles(
  store: Store,
  { intervalMs, endMs, view, scopeOf }: Reading,
): Promise<string[]> {
  const samples: number[] = [];
  let count = 0;
  let usage = process.cpuUsage();
  for (let read = -WARM_READS; read < READS; read++) {
    if (read === 0) usage = process.cpuUsage();
    const start = performance.now();
    const candles = await store.candles.read({
      ...scopeOf(),
      intervalMs,
      fromMs: Math.floor((endMs - CANDLES * intervalMs) / intervalMs) * intervalMs,
      toMs: endMs,
      view,
    });
    if (read >= 0) samples.push(performance.now() - start);
    count = Math.max(count, candles.length);
  }
  const { user, system } = process.cpuUsage(usage);
  samples.sort((one, other) => one - other);
  const at = (share: number) => fixed(samples[Math.floor(samples.length * share)] ?? Number.NaN, 1);
  const cpuMs = fixed((user + system) / 1_000 / READS, 1);
  return [`${intervalMs / 1_000} s, ${view}`, String(count), at(0.5), at(0.99), cpuMs];
}
