/**
 * The only place that knows every stage. Wires them in flow order: store and log, the engine that
 * folds it, and the API that reads both.
 */
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { ApiDeps, Freshness, Readiness } from './api/deps.ts';
import { createMetrics, type Metrics } from './api/metrics.ts';
import { createServer } from './api/server.ts';
import type { Config } from './config.ts';
import { Engine } from './engine/engine.ts';
import type { EngineOptions } from './engine/engine-options.ts';
import { Ingestion, type IngestionHooks } from './ingestion.ts';
import { openStore, type Store } from './store/store.ts';

export const VERSION = '0.1.0';

/** The service with its state in memory and its store open. */
export interface Service {
  readonly store: Store;
  readonly ingestion: Ingestion;
  close(): Promise<void>;
}

/** Opens the data folder and rebuilds the state from its log. Throws StoreError. */
export async function openService(config: Config, hooks: IngestionHooks = {}): Promise<Service> {
  const server =
    config.clickhouseUrl === null
      ? null
      : {
          url: config.clickhouseUrl,
          username: config.clickhouseUser,
          password: config.clickhousePassword ?? '',
        };
  const store = await openStore({ dataDir: config.dataDir, server });
  try {
    const options = { fallbackSolUsd: config.solUsdFallback };
    const createEngine = () => new Engine(options);
    const ingestion = await Ingestion.open(store, createEngine, rulesOf(options), hooks);
    return { store, ingestion, close: () => store.close() };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/**
 * Raised by one whenever the same log may fold to other derived rows than before: data folders of an
 * older version are then folded again when they are opened.
 */
const FOLD_VERSION = 1;

/** Everything beside the log that derived rows depend on. */
function rulesOf({ fallbackSolUsd }: EngineOptions): string {
  return `fold ${FOLD_VERSION}, SOL/USD fallback ${fallbackSolUsd ?? 'none'}`;
}

/** The HTTP interface over a service. The caller makes it listen, and closes it first. */
export function createApi(
  service: Service,
  config: Config,
  logger: FastifyBaseLogger,
): FastifyInstance {
  const metrics = createMetrics();
  exposeEngine(metrics, service);
  return createServer(apiDeps(service, metrics), {
    version: VERSION,
    rateLimitPerMinute: config.rateLimitPerMinute,
    rateLimitBurst: config.rateLimitBurst,
    openOps: config.openOps,
    logger,
  });
}

function apiDeps({ store, ingestion }: Service, metrics: Metrics): ApiDeps {
  return {
    keys: store.keys,
    chain: {
      freshness: () => freshnessOf(ingestion.engine),
      readiness: () => readinessOf(store, ingestion.engine),
    },
    tokens: {
      find: (mint) => ingestion.engine.token(mint),
      pool: (pool) => ingestion.engine.pool(pool),
      topHolders: (mint, limit) => ingestion.engine.topHolders(mint, limit),
    },
    pools: {
      find: (pool) => ingestion.engine.pool(pool),
      holderCount: (mint) => ingestion.engine.holderCount(mint),
    },
    candles: store.candles,
    bundles: store.bundles,
    metrics,
    nowMs: Date.now,
  };
}

function freshnessOf(engine: Engine): Freshness {
  return {
    slot: engine.lastSlot,
    timeMs: engine.lastSlot === null || engine.timeMs === 0 ? null : engine.timeMs,
    isComplete: engine.isComplete,
  };
}

async function readinessOf(store: Store, engine: Engine): Promise<Readiness> {
  const health = await store.health();
  const checks = {
    store_writable: { ok: health.isWritable, detail: health.detail },
    store_readable: { ok: health.isReadable, detail: health.detail },
    history: {
      ok: true,
      detail: engine.isComplete
        ? 'every slot held follows the one before it'
        : `${engine.counters.unlinkedSlots} held slots do not follow the one before them`,
    },
  };
  return { isReady: health.isWritable && health.isReadable, checks };
}

function exposeEngine(metrics: Metrics, { ingestion }: Service): void {
  const counters = () => ingestion.engine.counters;
  metrics.exposeCounter({
    name: 'events_total',
    help: 'Canonical events folded, by kind.',
    labelNames: ['kind'],
    read: () => Object.entries(counters().events).map(([kind, count]) => [{ kind }, count]),
  });
  metrics.exposeCounter({
    name: 'instructions_total',
    help: 'Instructions of known programs, by program and outcome.',
    labelNames: ['program', 'outcome'],
    read: function* () {
      for (const [program, outcomes] of Object.entries(counters().outcomes)) {
        for (const [outcome, count] of Object.entries(outcomes))
          yield [{ program, outcome }, count];
      }
    },
  });
  metrics.exposeCounter({
    name: 'slots_total',
    help: 'Slots folded.',
    read: () => [[{}, counters().slots]],
  });
  metrics.exposeCounter({
    name: 'transactions_total',
    help: 'Transactions seen, by what became of them.',
    labelNames: ['result'],
    read: () => {
      const { transactions, failedTransactions, votes } = counters();
      return [
        [{ result: 'succeeded' }, transactions - failedTransactions],
        [{ result: 'failed' }, failedTransactions],
        [{ result: 'vote' }, votes],
      ];
    },
  });
  metrics.exposeCounter({
    name: 'decode_problems_total',
    help: 'Instructions and transactions that could not be understood or believed, by problem.',
    labelNames: ['problem'],
    read: () => Object.entries(counters().problems).map(([problem, count]) => [{ problem }, count]),
  });
  metrics.exposeCounter({
    name: 'source_problems_total',
    help: 'Parts of the input that could not be used since the start, by code.',
    labelNames: ['code'],
    read: () => Object.entries(ingestion.problems).map(([code, count]) => [{ code }, count]),
  });
  metrics.exposeGauge({
    name: 'contradictions',
    help: 'Records that contradict what was known: signs of missing history, never shown as data.',
    labelNames: ['kind'],
    read: () =>
      Object.entries(ingestion.engine.contradictions).map(([kind, count]) => [{ kind }, count]),
  });
  metrics.exposeGauge({
    name: 'exceeded_bounds',
    help: 'Kinds of state that have outgrown what the process is meant to hold.',
    labelNames: ['kind'],
    read: () => ingestion.engine.exceededBounds().map((kind) => [{ kind }, 1]),
  });
  metrics.exposeGauge({
    name: 'older_slots',
    help: 'Slots that older decoders read: their records should be replayed again.',
    read: () => [[{}, ingestion.olderSlots]],
  });
  metrics.exposeGauge({
    name: 'slot',
    help: 'Last slot folded.',
    read: () => [[{}, ingestion.engine.lastSlot ?? 0]],
  });
  metrics.exposeGauge({
    name: 'state_entries',
    help: 'Entries held in memory, by kind.',
    labelNames: ['kind'],
    read: () =>
      Object.entries(ingestion.engine.stateSize).map(([kind, count]) => [{ kind }, count]),
  });
  metrics.exposeCounter({
    name: 'untimed_slots_total',
    help: 'Slots without a block time of their own: estimated from one near, or unknown.',
    labelNames: ['time'],
    read: () => {
      const { estimatedTimeSlots, unknownTimeSlots } = counters();
      return [
        [{ time: 'estimated' }, estimatedTimeSlots],
        [{ time: 'unknown' }, unknownTimeSlots],
      ];
    },
  });
  metrics.exposeGauge({
    name: 'unlinked_slots',
    help: 'Held slots that do not follow the slot before them: gaps in the history.',
    read: () => [[{}, counters().unlinkedSlots]],
  });
}
