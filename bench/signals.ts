/** The cost of signals: statistics over many of them, lists of them, and the windows of pools. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SignalTable } from '../src/bridge/signal-table.ts';
import { CurrentSignals } from '../src/ingestion/current-signals.ts';
import { UnwrittenRows } from '../src/ingestion/unwritten-rows.ts';
import { HashDraws } from '../src/lib/hash-draws.ts';
import { UndoLog } from '../src/lib/undo-log.ts';
import type { SlotChanges } from '../src/model/derived.ts';
import {
  EXIT_RULES,
  type ExecutionOutcome,
  type ExitRule,
  type Outcome,
  SIGNAL_MODELS,
  type Signal,
  TICKETS_USD,
} from '../src/model/signal.ts';
import { asPriceE18, asRawAmount, asSlot, asUsdNano, type Slot } from '../src/model/units.ts';
import { FeatureWindows } from '../src/signals/features/feature-windows.ts';
import { openDataPlane } from '../src/store/data-plane.ts';
import { StoredSignals } from '../src/store/reads/signals.ts';
import { SlotWriter } from '../src/store/writes/slot-writer.ts';
import { buildChanges } from '../tests/support/build-records.ts';
import { buildOutcome, buildSignal } from '../tests/support/build-signal.ts';
import { address } from '../tests/support/build-transaction.ts';
import { itemAt } from './item-at.ts';
import { fixed, integer, printTable } from './table.ts';

const DAYS = 30;
const DAY_MS = 86_400_000;
const START_MS = 1_760_400_000_000;
const READS = 100;
const WARMUPS = 5;
const BATCH = 5_000;
/** One in six rows is a random minute. */
const MODELS = [...SIGNAL_MODELS, SIGNAL_MODELS[3], 'random_minute'] as const;
/** Outcomes that are folded and not yet written at the time of a read. */
const UNWRITTEN = 1_000;
const OPEN_MS: Readonly<Record<ExitRule, number>> = {
  hold_5m: DAY_MS / 288,
  hold_1h: DAY_MS / 24,
  hold_24h: DAY_MS,
  take_profit_or_stop: DAY_MS / 24,
  trailing_stop: DAY_MS / 6,
};
const POOLS = 5_000;
const MINUTES = 65;

const draws = new HashDraws('bench');
const nano = (usd: number) => asUsdNano(BigInt(Math.round(usd * 1e9)));

export async function benchSignals(count: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-signals-'));
  const plane = await openDataPlane({ dataDir: folder });
  const rows = Math.ceil((count * MODELS.length) / (MODELS.length - 1));
  await writeRows(new SlotWriter(plane.writer), rows);
  const tail: { changes: SlotChanges }[] = [];
  const current = new CurrentSignals(
    new StoredSignals(plane.fast, { epoch: 1, slot: asSlot(rows) }),
    new UnwrittenRows(() => tail),
  );
  const table = new SignalTable(async (known) => ({
    slot: asSlot(rows),
    timeMs: null,
    data: await current.figures(known),
  }));
  const all = { fromMs: START_MS, toMs: START_MS + DAYS * DAY_MS, model: null };
  const begin = performance.now();
  await table.statistics(all);
  const firstMs = performance.now() - begin;
  const change = () => {
    const outcomes = Array.from({ length: UNWRITTEN }, () =>
      someOutcome(1 + draws.below(rows), asSlot(rows + 1), rows),
    );
    tail.splice(0, 1, { changes: buildChanges(rows + 1, { outcomes }) });
  };
  const whole = await time(() => table.statistics(all), change);
  const page = { ...all, limit: 10_000, beforeRowId: null };
  printTable(`${integer(count)} signals and ${integer(rows - count)} random minutes`, [
    ['', 'p50 ms', 'p99 ms', 'worst ms', 'processor ms each', 'of this thread'],
    ['statistics, all of them', ...whole],
    ['a list of 10,000', ...(await time(() => current.list(page)))],
    ['the first statistics after a start', '', '', fixed(firstMs, 0), '', ''],
  ]);
  await plane.close();
  rmSync(folder, { recursive: true });
  benchWindows();
}

async function writeRows(writer: SlotWriter, rows: number): Promise<void> {
  for (let from = 1; from <= rows; from += BATCH) {
    const ids = Array.from({ length: Math.min(BATCH, rows + 1 - from) }, (_, at) => from + at);
    const changes = buildChanges(from, {
      signals: ids.map((rowId) => someSignal(rowId, rows)),
      outcomes: ids.map((rowId) => someOutcome(rowId, asSlot(from), rows)),
    });
    await writer.writeBatch({ slots: [], changes: [changes], epoch: 1 });
  }
}

function someSignal(rowId: number, rows: number): Signal {
  return buildSignal({
    rowId,
    model: MODELS[draws.below(MODELS.length)] ?? 'random_minute',
    createdAtMs: START_MS + Math.floor((rowId / rows) * DAYS * DAY_MS),
    ageMs: Math.floor(draws.unit() * 7 * DAY_MS),
    marketCapUsd: nano(30_000 * 300 ** draws.unit()),
    liquidityUsd: nano(10_000 * 50 ** draws.unit()),
  });
}

/** Positions of the last minutes and hours are still open, as at the time of a read. */
function someOutcome(rowId: number, slot: Slot, rows: number): Outcome {
  return buildOutcome({
    rowId,
    slot,
    athMarketCapUsd: nano(60_000 * 1_000 ** draws.unit()),
    roiE9: nano(draws.unit() ** 8 * 5_000 - 20),
    maxDrawdownE9: nano(draws.unit() * 90),
    execution: { returns: someReturns((1 - rowId / rows) * DAYS * DAY_MS) },
  });
}

function someReturns(agoMs: number): ExecutionOutcome['returns'] {
  const tickets = () =>
    TICKETS_USD.map((ticketUsd) => ({
      ticketUsd,
      returnE9: BigInt(Math.round((draws.unit() * 150 - 90) * 1e9)),
    }));
  const entries = EXIT_RULES.map((rule) => [rule, agoMs < OPEN_MS[rule] ? null : tickets()]);
  return Object.fromEntries(entries);
}

async function time(read: () => Promise<unknown>, prepare?: () => void): Promise<string[]> {
  const samples: number[] = [];
  const used = { user: 0, system: 0 };
  const own = { user: 0, system: 0 };
  for (let sample = -WARMUPS; sample < READS; sample++) {
    prepare?.();
    const before = process.cpuUsage();
    const ownBefore = process.threadCpuUsage();
    const start = performance.now();
    await read();
    if (sample < 0) continue;
    samples.push(performance.now() - start);
    addTo(used, process.cpuUsage(before));
    addTo(own, process.threadCpuUsage(ownBefore));
  }
  samples.sort((one, other) => one - other);
  const at = (share: number) => fixed(samples[Math.ceil(READS * share) - 1] ?? Number.NaN, 1);
  const each = ({ user, system }: NodeJS.CpuUsage) => fixed((user + system) / 1_000 / READS, 1);
  return [at(0.5), at(0.99), at(1), each(used), each(own)];
}

function addTo(total: NodeJS.CpuUsage, { user, system }: NodeJS.CpuUsage): void {
  total.user += user;
  total.system += system;
}

function benchWindows(): void {
  globalThis.gc?.();
  const before = usedBytes();
  const start = performance.now();
  const windows = fillWindows();
  const seconds = (performance.now() - start) / 1_000;
  globalThis.gc?.();
  const bytes = usedBytes() - before;
  printTable('Windows', [
    ['pools', 'minutes each', 'trades/s', 'bytes a minute'],
    [
      integer(windows.poolCount),
      String(MINUTES),
      integer((POOLS * MINUTES * 5) / seconds),
      integer(bytes / (POOLS * MINUTES)),
    ],
  ]);
}

function usedBytes(): number {
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** Every pool is traded in every minute, by five organic wallets. */
function fillWindows(): FeatureWindows {
  const windows = new FeatureWindows(new UndoLog());
  for (let minute = 0; minute < MINUTES; minute++) {
    for (let pool = 0; pool < POOLS; pool++) {
      for (let trade = 0; trade < 5; trade++) {
        windows.note({
          pool: address(`pool ${pool}`),
          timeMs: START_MS + minute * 60_000,
          side: 'buy',
          wallet: itemAt(WALLETS, (pool + trade * 7 + minute) % WALLETS.length),
          baseRaw: asRawAmount(1n),
          valueUsd: nano(20),
          priceUsd: asPriceE18(1_000_000_000_000n),
          isOrganic: true,
          smartWeight: 0,
        });
      }
    }
  }
  return windows;
}

const WALLETS = Array.from({ length: 10_000 }, (_, at) => address(`wallet ${at}`));
