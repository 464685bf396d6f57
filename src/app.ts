/**
 * The only place that knows every stage. Wires them in flow order: store and log, the engine that
 * folds it, and the API that reads both.
 */
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { ApiDeps } from './api/deps.ts';
import { createMetrics, type Metrics } from './api/metrics.ts';
import { createServer } from './api/server.ts';
import type { Config } from './config.ts';
import { Engine } from './engine/engine.ts';
import type { EngineOptions } from './engine/engine-options.ts';
import { createChainStatus } from './ingestion/chain-status.ts';
import { CurrentBundles } from './ingestion/current-bundles.ts';
import { CurrentCandles } from './ingestion/current-candles.ts';
import { type EngineFactory, EngineSnapshots } from './ingestion/engine-snapshots.ts';
import { TAIL_SLOTS_MAX } from './ingestion/fold.ts';
import { Ingestion } from './ingestion/ingestion.ts';
import type { IngestionHooks } from './ingestion/ingestion-run.ts';
import { UnwrittenRows } from './ingestion/unwritten-rows.ts';
import { exposeService } from './service-metrics.ts';
import { openStore, type Store } from './store/store.ts';

export const VERSION = '0.1.0';

/** The service with its state in memory and its store open. */
export interface Service {
  readonly store: Store;
  readonly ingestion: Ingestion;
  close(): Promise<void>;
}

/** Opens the data folder and rebuilds the state from snapshot and log. Throws StoreError. */
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
    const options = { fallbackSolUsd: config.solUsdFallback, undoSlotsMax: TAIL_SLOTS_MAX };
    const rules = rulesOf(options);
    const createEngine: EngineFactory = (chunks) => new Engine(options, chunks);
    const snapshots = new EngineSnapshots({ snapshots: store.snapshots, log: store.log, rules });
    const ingestion = await Ingestion.open({ store, createEngine, rules, snapshots }, hooks);
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
const FOLD_VERSION = 2;

/** Everything beside the log that derived rows depend on. */
function rulesOf({ fallbackSolUsd }: EngineOptions): string {
  return `fold ${FOLD_VERSION}, SOL/USD fallback ${fallbackSolUsd ?? 'none'}`;
}

/** The HTTP interface over a service. The caller makes it listen, and closes it first. */
export function createApi(
  service: Service,
  config: Config,
  logger: FastifyBaseLogger,
  isSimulated = false,
): FastifyInstance {
  const metrics = createMetrics();
  exposeService(metrics, service.ingestion);
  return createServer(apiDeps(service, metrics), {
    version: VERSION,
    rateLimitPerMinute: config.rateLimitPerMinute,
    rateLimitBurst: config.rateLimitBurst,
    openOps: config.openOps,
    isSimulated,
    logger,
  });
}

function apiDeps({ store, ingestion }: Service, metrics: Metrics): ApiDeps {
  const unwritten = new UnwrittenRows(() => ingestion.unwritten);
  return {
    keys: store.keys,
    chain: createChainStatus(store, ingestion, Date.now),
    tokens: {
      find: (mint) => ingestion.engine.token(mint),
      pool: (pool) => ingestion.engine.pool(pool),
      topHolders: (mint, limit) => ingestion.engine.topHolders(mint, limit),
    },
    pools: {
      find: (pool) => ingestion.engine.pool(pool),
      holderCount: (mint) => ingestion.engine.holderCount(mint),
    },
    candles: new CurrentCandles(store.candles, unwritten),
    bundles: new CurrentBundles(store.bundles, unwritten),
    metrics,
    nowMs: Date.now,
  };
}
