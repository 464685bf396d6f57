import { randomUUID } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import { createLogger } from '../api/logger.ts';
import type { Source, SourceItem } from '../chain/source.ts';
import { createDecodePool } from '../chain/threads/decode-pool.ts';
import { NatsBeats } from '../cluster/beats.ts';
import { Ingester, type IngesterChain } from '../cluster/ingester.ts';
import type { Config } from '../config/config-settings.ts';
import { ExactBundles } from '../ingestion/exact-bundles.ts';
import { factsOf } from '../ingestion/late-facts.ts';
import { monotonicClock } from '../lib/clock.ts';
import { UsageError } from '../model/errors.ts';
import { chainSource, namesChain } from './follow-chain.ts';
import { serveIngesterOps } from './ingester-ops.ts';
import { openBundleExplorer } from './open-bundle-explorer.ts';
import { openSharedLog, type SharedLog } from './open-step-log.ts';
import { stopSignal } from './stop-signals.ts';
import { warnOfSetup } from './warn-of-setup.ts';

type Decoder = ReturnType<typeof createDecodePool>;

export interface IngestRoleOptions {
  /** Whether health and metrics are served on the configured port. */
  readonly isServing: boolean;
}

/** The source that is followed now; null while the ingester waits. */
interface Followed {
  now: Source | null;
}

/**
 * `--role ingest`: appends the configured chain to the stream until the process is asked to stop.
 * There is neither a data folder nor an API.
 */
export async function runIngestRole(
  config: Config,
  { isServing }: IngestRoleOptions,
): Promise<void> {
  if (!namesChain(config)) {
    throw new UsageError('The role ingest follows a chain: set SOLANA_RPC_URL to its nodes.');
  }
  const logger = createLogger({ level: config.logLevel });
  warnOfSetup(config, process.env, logger);
  const stopping = new AbortController();
  const { signal } = stopping;
  void stopSignal(logger, stopping);
  const decoder = createDecodePool(config.decodeWorkers);
  const followed: Followed = { now: null };
  let opened: SharedLog | null = null;
  const bundleOracle = openBundleExplorer(config, signal);
  try {
    opened = await openSharedLog(config, logger, signal);
    const { connection, log } = opened;
    const ingester = new Ingester({
      log,
      beats: new NatsBeats(connection, config.natsStream),
      chain: ingesterChain(
        config,
        decoder,
        new ExactBundles(bundleOracle ?? undefined, false),
        logger,
        followed,
      ),
      name: `${config.replicaName} ${randomUUID()}`,
      clock: monotonicClock,
      onNotice: (sentence) => logger.info(ingester.status, sentence),
      onFailure: (sentence) => logger.warn(ingester.status, sentence),
      onProblem: (problem) => logger.warn({ problem }, 'part of the input could not be used'),
      signal,
    });
    logger.info({ stream: config.natsStream, replica: config.replicaName }, 'this ingester waits');
    const source = () => followed.now?.status ?? null;
    const watched = { ingester, log, source };
    const served = isServing ? serveIngesterOps(config, watched, logger, signal) : null;
    await Promise.race([ingester.run(), ...(served === null ? [] : [served])]);
    await served;
    await connection.drain();
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    stopping.abort();
    // An open connection would keep the process alive.
    await opened?.connection.close();
    await bundleOracle?.close();
    await decoder?.close();
  }
  logger.info('stopped');
}

function ingesterChain(
  config: Config,
  decoder: Decoder,
  bundles: ExactBundles,
  logger: FastifyBaseLogger,
  followed: Followed,
): IngesterChain {
  return {
    async *follow(anchor, signal): AsyncGenerator<SourceItem> {
      const start = { anchor, gaps: [], isObserved: false };
      const { source } = await chainSource(config, decoder, logger, start, signal);
      followed.now = source;
      try {
        yield* source;
      } finally {
        followed.now = null;
      }
    },
    factsOf: (item) => bundles.attach(factsOf(item)),
  };
}
