import { randomUUID } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import { createLogger } from '../api/logger.ts';
import type { ChainPoint } from '../chain/block-link.ts';
import { createRangeSource } from '../chain/rpc/range-source.ts';
import type { Source, SourceItem } from '../chain/source.ts';
import { createDecodePool } from '../chain/threads/decode-pool.ts';
import { NatsBeats } from '../cluster/beats.ts';
import { Ingester, type IngesterChain } from '../cluster/ingester.ts';
import { pastThenPresent } from '../cluster/past-then-present.ts';
import type { Config } from '../config/config-settings.ts';
import { ExactBundles } from '../ingestion/exact-bundles.ts';
import { factsOf } from '../ingestion/late-facts.ts';
import { monotonicClock } from '../lib/clock.ts';
import { UsageError } from '../model/errors.ts';
import { asSlot, type Slot } from '../model/units.ts';
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
  if (config.fromSlot !== null && config.rpcUrl === null) {
    throw new UsageError('--from-slot fetches from RPC nodes: set SOLANA_RPC_URL to some.');
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
    const { connection, log, control } = opened;
    const ingester = new Ingester({
      log,
      control,
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
  async function* after(anchor: ChainPoint | null, signal: AbortSignal) {
    const start = { anchor, gaps: [], isObserved: false };
    const { source } = await chainSource(config, decoder, logger, start, signal);
    followed.now = source;
    try {
      yield* source;
    } finally {
      followed.now = null;
    }
  }
  return {
    follow(anchor, signal): AsyncIterable<SourceItem> {
      const { fromSlot } = config;
      if (anchor !== null || fromSlot === null) return after(anchor, signal);
      logger.info({ fromSlot }, 'fetching the past, with which the stream begins');
      return pastThenPresent(pastOf(config, asSlot(fromSlot), decoder, logger, signal), (last) =>
        after(last, signal),
      );
    },
    factsOf: (item) => bundles.attach(factsOf(item)),
  };
}

/** All final slots from one on, fetched with as many requests as the nodes take. */
async function* pastOf(
  { rpcUrl, rpcRequestsPerSecond: requestsPerSecond }: Config,
  from: Slot,
  decoder: Decoder,
  logger: FastifyBaseLogger,
  signal: AbortSignal,
): AsyncGenerator<SourceItem> {
  const past = createRangeSource({
    endpoints: rpcUrl ?? [],
    runs: [{ from, to: asSlot(Number.MAX_SAFE_INTEGER) }],
    fetcher: decoder,
    signal,
    tuning: { requestsPerSecond },
    onNotice: (sentence) => logger.warn(sentence),
  });
  yield* past;
  if (past.stopReason !== null) logger.warn(past.stopReason);
}
