import type { FastifyBaseLogger } from 'fastify';
import { collectorSettingsOf } from '../config/config-collectors.ts';
import type { Config } from '../config/config-settings.ts';
import { alarmInWords } from '../ingestion/alarm-in-words.ts';
import { ChainError } from '../model/errors.ts';
import { openService, type Service } from '../service/app.ts';
import { ApiThread } from '../serving/api-thread.ts';
import type { ApiSettings } from '../serving/messages.ts';
import { type OpenGathering, openGathering } from '../serving/open-gathering.ts';
import { findingInWords } from '../store/verification/finding.ts';
import type { FollowedChain } from './follow-chain.ts';
import type { Access } from './simulated-examples.ts';
import { stopSignal } from './stop-signals.ts';
import { ensureKey, hostInUrl, welcome } from './welcome.ts';

/** A shutdown that takes longer than this ends without waiting for clients. */
const DRAIN_MS = 8_000;

/** Nothing that runs there has to be finished: it is begun again. */
const GATHERING_DRAIN_MS = 2_000;

/** Where slots come from once the service answers. */
export interface Feed {
  /** Origin of the web that tokens of a simulated market name; null where the market is none. */
  readonly simulatedWeb: string | null;
  /** A chain is followed, of which there is more to know elsewhere. */
  readonly isLive: boolean;
  /** Rows are written at least this often; without it a batch of them when it is full. */
  readonly writeAfterMs?: number;
  /** Null: nothing comes, the data folder is served as it is. */
  readonly begin: (
    access: Access,
    service: Service,
  ) => FollowedChain | null | Promise<FollowedChain | null>;
}

/**
 * Opens the service over the data folder, answers, and takes in what the feed brings, until the
 * process is told to stop. Throws what ended it otherwise. `stopping` ends whatever else listens to it.
 */
export async function runService(
  config: Config,
  feed: Feed,
  logger: FastifyBaseLogger,
  stopping: AbortController,
): Promise<void> {
  const service = await openService(config, {
    signal: stopping.signal,
    onFold: (slots) => {
      if (slots % 10_000 === 0) logger.info({ slots }, 'folding the log');
    },
    onSnapshotProblem: (sentence) => logger.warn(sentence),
    onLost: (sentence) => logger.error(sentence),
  });
  watchStore(service, logger, stopping.signal);
  const gathering = gatheringOf(service, config, feed, logger);
  try {
    await serve({ service, gathering }, config, feed, logger, stopping);
  } finally {
    stopping.abort();
    await gathering?.close(GATHERING_DRAIN_MS);
    await service.store.verification.settled();
    await service.close();
  }
  logger.info('stopped');
}

/** Names slots that are missing from before, and reads the store's parts while it serves. */
function watchStore(
  { store, ingestion }: Service,
  logger: FastifyBaseLogger,
  signal: AbortSignal,
): void {
  const { gaps } = ingestion;
  if (gaps.length > 0) {
    const slots = gaps.reduce((sum, { from, to }) => sum + to - from + 1, 0);
    logger.warn({ gaps: gaps.length, slots }, 'slots are missing since an earlier run');
  }
  store.verification.startBackground({
    signal,
    onDamage: (finding) => logger.error(`${findingInWords(finding)} Restart to have it repaired.`),
    onStopped: (error) => logger.warn({ err: error }, 'parts of the store are not read any more'),
  });
}

async function serve(
  { service, gathering }: { readonly service: Service; readonly gathering: OpenGathering | null },
  config: Config,
  feed: Feed,
  logger: FastifyBaseLogger,
  stopping: AbortController,
): Promise<void> {
  const stopped = stopSignal(logger, stopping);
  const startKey = ensureKey(service, config);
  const api = await ApiThread.start(service, {
    settings: { ...apiSettingsOf(config), isSimulated: feed.simulatedWeb !== null },
    lagMaxMs: config.lagMaxSeconds * 1_000,
    ...(gathering === null ? {} : { gathering }),
    webhookPrivateOrigins: config.webhookPrivateOrigins,
    onVenueChange: ({ kind, alarm }) =>
      kind === 'began'
        ? logger.warn({ alarm }, `a program has changed: ${alarmInWords(alarm)}`)
        : logger.info({ alarm }, `a program is as before again: ${alarmInWords(alarm)}`),
    onWebhooksStopped: (reason) =>
      logger.error({ reason }, 'the thread that sends webhooks has stopped; it is started again'),
  });
  const { port, grpcPort } = api;
  logger.info({ host: config.host, port, grpcPort, dataDir: config.dataDir }, 'listening');
  let ingested: Promise<void> | null = null;
  try {
    const url = `http://${hostInUrl(config.host)}:${port}`;
    const fed = await feed.begin({ url, key: welcome(url, startKey) }, service);
    warnOfOlderSlots(service, logger);
    ingested = fed === null ? null : ingest(service, fed, feed, logger, stopping.signal);
    await Promise.race([stopped, failureOf(ingested), api.failed]);
  } finally {
    stopping.abort();
    await Promise.all([ingested?.catch(() => undefined), api.close(DRAIN_MS)]);
  }
  // What went wrong while it was stopping.
  await ingested;
}

/** Null where nothing off the chain is gathered. */
function gatheringOf(
  service: Service,
  config: Config,
  feed: Feed,
  logger: FastifyBaseLogger,
): OpenGathering | null {
  const { offchain, dataDir, logLevel, ipfsGateways, arweaveGateways } = config;
  const { simulatedWeb } = feed;
  const isWorth = feed.isLive || simulatedWeb !== null;
  if (offchain === 'off' || (offchain === 'auto' && !isWorth)) return null;
  const requestsPerSecond = config.offchainRequestsPerSecond;
  const places = { dataDir, logLevel, ipfsGateways, arweaveGateways, requestsPerSecond };
  // No platform is asked about tokens that are made up.
  const kind =
    simulatedWeb === null ? { collectors: collectorSettingsOf(config) } : { simulatedWeb };
  return openGathering(service, { ...places, ...kind }, logger);
}

function apiSettingsOf(config: Config): Omit<ApiSettings, 'isSimulated'> {
  const { host, port, dataDir, logLevel, rateLimitPerMinute, rateLimitBurst, openOps } = config;
  const { grpcPort, grpcTlsCertFile: tlsCertFile, grpcTlsKeyFile: tlsKeyFile } = config;
  const grpc = grpcPort === null ? {} : { grpc: { port: grpcPort, tlsCertFile, tlsKeyFile } };
  return { host, port, dataDir, logLevel, rateLimitPerMinute, rateLimitBurst, openOps, ...grpc };
}

/** Rejects when the work fails, and never resolves: it may end before the server does. */
function failureOf(work: Promise<void> | null): Promise<never> {
  return new Promise((_, reject) => work?.catch(reject));
}

function warnOfOlderSlots({ ingestion }: Service, logger: FastifyBaseLogger): void {
  const slots = ingestion.olderSlots;
  if (slots === 0) return;
  logger.warn({ slots }, 'slots were decoded by an older version; replay their records again');
}

/**
 * Runs beside the server. What goes wrong with the input is logged; a store that fails for a reason
 * that may pass is waited for, and any other failure is thrown: nobody would take the chain in.
 */
async function ingest(
  { ingestion }: Service,
  { source, observer }: FollowedChain,
  { writeAfterMs, isLive }: Feed,
  logger: FastifyBaseLogger,
  signal: AbortSignal,
): Promise<void> {
  ingestion.keepTrying({
    signal,
    onFailing: ({ reason }) => logger.warn({ reason }, STORE_FAILS),
    onRecovered: ({ attempts }, durationMs) =>
      logger.info({ attempts, durationMs }, 'the store takes what is written again'),
  });
  const result = await ingestion.ingest(source, {
    signal,
    ...(writeAfterMs === undefined ? {} : { writeAfterMs }),
    ...(observer === null ? {} : { observer }),
    onProblem: (problem) => logger.warn({ problem }, 'part of the input could not be used'),
    onSnapshotProblem: (sentence) => logger.warn(sentence),
    onMissing: ({ from, to, reason }) => logger.warn({ from, to, reason }, 'slots are missing'),
    onSlot: ({ slot, problems }) => {
      for (const problem of problems) logger.debug({ slot, problem }, 'not understood');
    },
  });
  if (isLive && !signal.aborted && ingestion.status.stopReason === null) {
    throw new ChainError(
      'The source of blocks ended and did not say why: start the service again.',
    );
  }
  logger.info({ ...result, lastSlot: ingestion.engine.lastSlot }, 'replay finished');
}

const STORE_FAILS =
  'the store fails: it is tried again until it does not, and what comes of the chain waits';
