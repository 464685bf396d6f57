import { existsSync, readFileSync } from 'node:fs';
import { TriggerBook } from '../src/alerts/triggers/trigger-book.ts';
import type { Condition } from '../src/model/trigger.ts';
import { asRawAmount, asUsdNano } from '../src/model/units.ts';
import { address } from '../tests/support/build-transaction.ts';
import { buildTrigger, ofPool } from '../tests/support/build-trigger.ts';
import { fakePool } from '../tests/support/fake-api-deps.ts';
import { fixed, integer, printTable } from './table.ts';

const POOLS = 20_000;
const TRIGGERS = 100_000;
const CHANGED_POOLS = 500;
const SLOTS = 400;
const WARM_SLOTS = 50;
const SCHEDULER_FILE = '/proc/self/schedstat';

/** The cost of a slot that changes 500 of 20,000 watched pools with 100,000 triggers. */
export function benchTriggers(): void {
  const pools = Array.from({ length: POOLS }, (_, index) => address(`bench pool ${index}`));
  const book = new TriggerBook();
  for (let key = 1; key <= TRIGGERS; key++) {
    const target = ofPool(pools[key % POOLS] ?? address('none'));
    book.put(buildTrigger({ key, target, conditions: conditionsOf(key) }), null);
  }
  const samples: number[] = [];
  const ownMs: number[] = [];
  let processorUs = 0;
  let fired = 0;
  for (let slot = 0; slot < SLOTS; slot++) {
    const changed = Array.from({ length: CHANGED_POOLS }, (_, index) => {
      const at = (slot * 7_919 + index * 37) % POOLS;
      const pool = fakePool({ pool: pools[at] ?? address('none'), ...figuresOf(slot, index) });
      return { target: ofPool(pool.pool), pool };
    });
    const waitedBefore = waitedMs();
    const before = process.threadCpuUsage();
    const start = performance.now();
    fired += book.changed(changed).length;
    const tookMs = performance.now() - start;
    const { user, system } = process.threadCpuUsage(before);
    const waited = waitedMs() - waitedBefore;
    if (slot < WARM_SLOTS) continue;
    samples.push(tookMs);
    ownMs.push(tookMs - waited);
    processorUs += user + system;
  }
  printTable(
    `${integer(TRIGGERS)} triggers on ${integer(POOLS)} pools, ${CHANGED_POOLS} pools a slot`,
    [
      ['measure', 'value'],
      ['ms a slot, p50', at(samples, 0.5)],
      ['ms a slot, p99', at(samples, 0.99)],
      ['without waiting for a processor, p50', at(ownMs, 0.5)],
      ['without waiting for a processor, p99', at(ownMs, 0.99)],
      ['processor ms a slot, on average', fixed(processorUs / 1_000 / samples.length, 2)],
      ['firings a slot', fixed(fired / SLOTS, 1)],
    ],
  );
}

/**
 * Time in which this thread was ready to run and others ran. Some kernels count processor time per
 * thread in ticks of milliseconds; this is exact on Linux, and zero elsewhere.
 */
function waitedMs(): number {
  if (!existsSync(SCHEDULER_FILE)) return 0;
  const [, waitedNs = '0'] = readFileSync(SCHEDULER_FILE, 'utf8').split(' ');
  return Number(waitedNs) / 1e6;
}

function at(samples: readonly number[], share: number): string {
  const sorted = samples.toSorted((one, other) => one - other);
  return fixed(sorted[Math.floor(sorted.length * share)] ?? Number.NaN, 2);
}

/** One to three conditions, with bounds within the range of the pools' values. */
function conditionsOf(key: number): readonly Condition[] {
  const conditions: readonly Condition[] = [
    { field: 'sol_amount', operator: 'gt', value: `${key % 90}.5` },
    { field: 'number_of_buys', operator: 'gt', value: String(key % 400) },
    { field: 'total_volume_usd', operator: 'lt', value: `${1_000 + (key % 500)}` },
  ];
  return conditions.slice(0, 1 + (key % 3));
}

function figuresOf(slot: number, index: number) {
  const mixed = (slot * 31 + index * 17) % 100;
  const reserve = (amount: number) => asRawAmount(BigInt(amount));
  return {
    buyCount: slot + index,
    sellCount: index,
    buyVolumeUsd: asUsdNano(BigInt(mixed) * 10_000_000_000n),
    sellVolumeUsd: asUsdNano(BigInt(mixed) * 5_000_000_000n),
    reserves: {
      base: reserve(1_000_000_000 - mixed),
      quote: reserve(mixed * 1_000_000_000),
      virtualBase: null,
      virtualQuote: null,
    },
  };
}
