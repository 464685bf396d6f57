import type { AddressInfo } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import { createMetricFamilies, METRICS_TYPE } from '../api/http/metrics.ts';
import { createOpsServer } from '../api/server/ops-server.ts';
import { exposeBuild } from '../bridge/build-metrics.ts';
import { listen } from '../bridge/listen.ts';
import type { SourceStatus } from '../chain/source-status.ts';
import type { Ingester } from '../cluster/ingester.ts';
import { LogUnavailable, type LogUsage, type StepLog } from '../cluster/step-log.ts';
import type { Config } from '../config/config-settings.ts';
import { VERSION } from '../config/version.ts';
import { monotonicClock } from '../lib/clock.ts';
import { steadyNowMs } from '../lib/steady-time.ts';
import { exposeIngester, type MeasuredIngester } from '../service/ingester-metrics.ts';
import { ingesterReadiness } from '../service/ingester-readiness.ts';

/** How often the size of the log is asked for. */
const USAGE_MS = 5_000;

export interface WatchedIngester {
  readonly ingester: Pick<Ingester, 'status'>;
  readonly log: Pick<StepLog, 'usage'>;
  /** Null while no nodes are asked. */
  readonly source: () => SourceStatus | null;
}

/**
 * Serves `/livez`, `/readyz` and `/metrics` of an ingester until the signal is aborted. Rejects with
 * UsageError if the port is unavailable.
 */
export async function serveIngesterOps(
  config: Config,
  watched: WatchedIngester,
  logger: Pick<FastifyBaseLogger, 'info'>,
  signal: AbortSignal,
): Promise<void> {
  let usage: LogUsage | null = null;
  const measured: MeasuredIngester = {
    get status() {
      return watched.ingester.status;
    },
    get usage() {
      return usage;
    },
    get source() {
      return watched.source();
    },
  };
  const families = createMetricFamilies({ isOfProcess: true });
  exposeBuild(families);
  exposeIngester(families, measured);
  const app = createOpsServer(
    {
      chain: {
        readiness: async () => ingesterReadiness(measured, monotonicClock.nowMs()),
        standstill: () => null,
      },
      metrics: { ...families, contentType: METRICS_TYPE },
      steadyNowMs,
    },
    { version: VERSION, openOps: config.openOps },
  );
  await listen(app, config);
  const { port } = app.server.address() as AddressInfo;
  logger.info({ host: config.host, port }, 'listening');
  try {
    while (!signal.aborted) {
      usage = (await usageOf(watched.log)) ?? usage;
      await monotonicClock.sleep(USAGE_MS, signal);
    }
  } finally {
    await app.close();
  }
}

/** Null while the log does not answer. */
async function usageOf(log: Pick<StepLog, 'usage'>): Promise<LogUsage | null> {
  try {
    return await log.usage();
  } catch (error) {
    if (error instanceof LogUnavailable) return null;
    throw error;
  }
}
