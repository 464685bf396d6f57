import type { FastifyBaseLogger } from 'fastify';
import { ApiThread } from '../bridge/api-thread.ts';
import type { AttachedReplica, AttachOptions } from '../bridge/attach-api.ts';
import type { LoadedApiThread } from '../bridge/loaded-api-thread.ts';
import type { SlotTraces } from '../bridge/slot-traces.ts';
import { collectorSettingsOf } from '../config/config-collectors.ts';
import type { Config } from '../config/config-settings.ts';
import type { GatheringStream } from '../gathering/gathering-thread.ts';
import { alarmInWords } from '../ingestion/alarm-in-words.ts';
import type { IngestionHooks } from '../ingestion/ingestion-run.ts';
import { ChainError } from '../model/errors.ts';
import type { SimulationOrigin } from '../model/simulation-origin.ts';
import { type OpeningHooks, restoreService, type Service } from '../service/app.ts';
import type { BackupSchedule } from '../service/backups/backup-schedule.ts';
import { type OpenGathering, openGathering } from '../service/open-gathering.ts';
import { describeFinding } from '../store/verification/finding.ts';
import { apiSettingsOf } from './api-settings.ts';
import { foldProgress, logRefolds } from './fold-progress.ts';
import type { FollowedChain } from './follow-chain.ts';
import { assertBackups, openBackups } from './open-backups.ts';
import { openBundleExplorer } from './open-bundle-explorer.ts';
import { openSlotTraces, watchedSource } from './open-slot-traces.ts';
import type { Access } from './simulated-examples.ts';
import type { StartKey } from './start-key.ts';
import { stopSignal } from './stop-signals.ts';
import type { ServiceScreen } from './terminal/service-screen.ts';
import { ensureKey, hostInUrl, welcome } from './welcome.ts';

/** Time limit for clients during shutdown. */
const DRAIN_MS = 8_000;

/** Short, because gathering jobs are resumed after a restart. */
const GATHERING_DRAIN_MS = 2_000;

/**
 * Maximum time between writes while a chain is followed. Responses do not depend on it, and each
 * write creates parts in ten tables, however few the rows.
 */
export const LIVE_WRITE_MS = 3_000;

/** Source of slots after the service has started listening. */
export interface Feed {
  /** Origin of the web of a simulated market; null otherwise. */
  readonly simulatedWeb: string | null;
  /** What a simulated market is generated from; null for a real chain. */
  readonly simulation: SimulationOrigin | null;
  /** A real chain is followed, for which off-chain data exists. */
  readonly isLive: boolean;
  /** The steps are applied by other replicas too, so that nothing may be added to them here. */
  readonly isShared?: boolean;
  /** Called before the service listens, where its state is compared with those of other replicas. */
  readonly openReplica?: (service: Service) => AttachedReplica;
  /** Whether it is for this process to store a backup now; it always is if omitted. */
  readonly mayStoreBackup?: () => Promise<boolean>;
  /** Maximum time between writes; without it, rows are written in full batches. */
  readonly writeAfterMs?: number;
  /** What the replicas of several machines gather together; each process by itself if omitted. */
  readonly openOffchain?: () => GatheringStream;
  /** Returns null if there is nothing to ingest: the data folder is served as it is. */
  readonly begin: (
    access: Access,
    service: Service,
    hooks: IngestionHooks,
  ) => FollowedChain | null | Promise<FollowedChain | null>;
  /** What is ingested after a source has ended; null or omitted: nothing. */
  readonly resume?: (service: Service, hooks: IngestionHooks) => Promise<FollowedChain | null>;
}

/**
 * Opens the service, serves the API and ingests the feed until the process is asked to stop. Throws
 * the error that ended it otherwise. `stopping` is aborted at the end; the screen stays open.
 *
 * If a state was stored, it is served while the log after it is being applied. Without one there is
 * nothing to serve: an empty state would answer that no token is known.
 */
export async function runService(settings: RunSettings): Promise<void> {
  const { config, feed, logger, stopping, screen, apiThread } = settings;
  assertBackups(config);
  const logFold = foldProgress((progress) => logger.info(progress, 'folding the log'));
  const hooks: OpeningHooks = {
    signal: stopping.signal,
    onFold: (slots, position) => {
      screen.onApplied(slots);
      logFold(slots, position);
    },
    onRefold: logRefolds(logger),
    onLost: (sentence) => logger.error(sentence),
    onStateProblem: (sentence) => logger.warn(sentence),
    onShadowReport: (report) => logger.info(report, 'a tried detector would report a case'),
    // The key that a simulated market is opened with is made later.
    ...(feed.simulation === null
      ? { onControlPlane: () => apiThread.open({ ...apiSettingsOf(config), simulation: null }) }
      : {}),
  };
  const service = await restoreService(config, hooks);
  const slotTraces = await openSlotTraces(config);
  const gathering: OpenedGathering = { now: null };
  try {
    const { engine, catchUp } = service.ingestion;
    if (engine.lastSlot === null) await catchUp.run(hooks);
    await serve({ ...settings, service, slotTraces, gathering, hooks });
  } finally {
    stopping.abort();
    await gathering.now?.close(GATHERING_DRAIN_MS);
    await service.store.verification.settled();
    await service.close();
    await slotTraces?.tracing.close();
  }
  logger.info('stopped');
}

/** What a service is run with. */
export interface RunSettings {
  readonly config: Config;
  readonly feed: Feed;
  readonly logger: FastifyBaseLogger;
  readonly stopping: AbortController;
  readonly screen: ServiceScreen;
  /** The thread that will answer requests. */
  readonly apiThread: LoadedApiThread;
}

/** A service that is run, and all that it is run with. */
interface Run extends RunSettings {
  readonly service: Service;
  readonly slotTraces: SlotTraces | null;
  readonly gathering: OpenedGathering;
  readonly hooks: OpeningHooks;
}

/** The gatherer of off-chain facts; null while there is none. */
interface OpenedGathering {
  now: OpenGathering | null;
}

/** Logs slots missing since earlier runs, and reads the store's parts in the background. */
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
    onDamage: (finding) => logger.error(`${describeFinding(finding)} Restart to have it repaired.`),
    onStopped: (error) => logger.warn({ err: error }, 'parts of the store are no longer checked'),
  });
}

async function serve(run: Run): Promise<void> {
  const { service, config, feed, logger, stopping } = run;
  const stopped = stopSignal(logger, stopping);
  const startKey = ensureKey(service, config);
  const backups = openBackups(config, { logger, mayStore: feed.mayStoreBackup });
  const api = await ApiThread.start(service, {
    settings: { ...apiSettingsOf(config), ...openingOf(feed, startKey) },
    lagMaxMs: config.lagMaxSeconds * 1_000,
    thread: run.apiThread,
    ...(isGathering(config, feed) ? { openGathering: () => gatheringOf(run) } : {}),
    webhookPrivateOrigins: config.webhookPrivateOrigins,
    ...(run.slotTraces === null ? {} : { slotTraces: run.slotTraces }),
    ...exposing(backups),
    ...(feed.openReplica === undefined ? {} : { replica: feed.openReplica(service) }),
    onVenueChange: ({ kind, alarm }) =>
      kind === 'began'
        ? logger.warn({ alarm }, `a program has changed: ${alarmInWords(alarm)}`)
        : logger.info({ alarm }, `a program is as before again: ${alarmInWords(alarm)}`),
    onWebhooksStopped: (reason) =>
      logger.error({ reason }, 'the thread that sends webhooks has stopped; it is restarted'),
  });
  const { port, grpcPort } = api;
  logger.info({ host: config.host, port, grpcPort, dataDir: config.dataDir }, 'listening');
  const url = `http://${hostInUrl(config.host)}:${port}`;
  const fed = feedService(run, url, startKey);
  const storing = backups?.run(stopping.signal) ?? Promise.resolve();
  try {
    await Promise.race([stopped, failureOf(fed), failureOf(storing), api.failed]);
  } finally {
    stopping.abort();
    await Promise.all([fed.catch(() => undefined), api.close(DRAIN_MS), storing]);
  }
  // Errors raised while stopping.
  await fed;
}

/** Applies the stored log, then ingests the feed. */
async function feedService(run: Run, url: string, key: StartKey): Promise<void> {
  const { service, config, feed, hooks, logger, stopping, screen } = run;
  const { catchUp, engine } = service.ingestion;
  if (!catchUp.isDone) {
    logger.info({ slot: engine.lastSlot }, 'serving the stored state while the log is applied');
    await catchUp.run(hooks);
    if (!catchUp.isDone) return;
  }
  screen.watch(service.ingestion, feed.isLive || feed.simulation !== null);
  watchStore(service, logger, stopping.signal);
  const access = { url, key: welcome(url, key, config.dataDir) };
  let chain = await feed.begin(access, service, hooks);
  warnOfOlderSlots(service, logger);
  while (chain !== null && !stopping.signal.aborted) {
    await ingest(run, chain);
    chain = (await feed.resume?.(service, hooks)) ?? null;
  }
}

function exposing(backups: BackupSchedule | null): Pick<AttachOptions, 'exposeBackups'> {
  return backups === null ? {} : { exposeBackups: (metrics) => backups.expose(metrics) };
}

/** Whether off-chain data is gathered. */
function isGathering({ offchain }: Config, { isLive, simulatedWeb }: Feed): boolean {
  if (offchain === 'on' || offchain === 'follow') return true;
  return offchain === 'auto' && (isLive || simulatedWeb !== null);
}

function gatheringOf({ service, gathering, config, feed, logger }: Run): OpenGathering {
  const { dataDir, logLevel, ipfsGateways, arweaveGateways } = config;
  const { simulatedWeb } = feed;
  const requestsPerSecond = config.offchainRequestsPerSecond;
  const places = { dataDir, logLevel, ipfsGateways, arweaveGateways, requestsPerSecond };
  // Platforms are not queried for simulated tokens.
  const kind =
    simulatedWeb === null ? { collectors: collectorSettingsOf(config) } : { simulatedWeb };
  const stream = feed.openOffchain?.();
  const shared = stream === undefined ? {} : { stream };
  gathering.now = openGathering(service, { ...places, ...kind }, logger, shared);
  return gathering.now;
}

/** On a simulated market, pages on this machine need not present the key made for it. */
function openingOf({ simulation }: Feed, key: StartKey) {
  const isOpen = simulation !== null && key.kind === 'created';
  return { simulation, ...(isOpen ? { openKey: key.text } : {}) };
}

/** Rejects when the work fails, and never resolves, because it may end before the server does. */
function failureOf(work: Promise<void>): Promise<never> {
  return new Promise((_, reject) => work.catch(reject));
}

function warnOfOlderSlots({ ingestion }: Service, logger: FastifyBaseLogger): void {
  const slots = ingestion.olderSlots;
  if (slots === 0) return;
  logger.warn({ slots }, OLDER_SLOTS);
}

/**
 * Ingests the feed. Problems of the input are logged. Transient store failures are retried; any
 * other failure is thrown, because nothing would ingest the chain.
 */
async function ingest(
  {
    service: { ingestion, refusals, ruleChanges },
    config,
    slotTraces,
    feed,
    logger,
    stopping,
  }: Run,
  { source, observer }: FollowedChain,
): Promise<void> {
  const { writeAfterMs, isLive, isShared = false } = feed;
  const { signal } = stopping;
  // No explorer knows a simulated market.
  const bundleOracle = isLive && !isShared ? openBundleExplorer(config, signal) : null;
  const spans = slotTraces?.spans ?? null;
  ingestion.keepTrying({
    signal,
    onFailing: ({ reason }) => logger.warn({ reason }, STORE_FAILS),
    onRecovered: ({ attempts }, durationMs) =>
      logger.info({ attempts, durationMs }, 'the store takes what is written again'),
  });
  const watched = spans === null ? source : watchedSource(source, spans);
  const ingested = ingestion.ingest(watched, {
    signal,
    ...(writeAfterMs === undefined ? {} : { writeAfterMs }),
    ...(observer === null ? {} : { observer }),
    ...(bundleOracle === null ? {} : { bundleOracle }),
    ...(isShared ? {} : { refusals, rules: ruleChanges }),
    onProblem: (problem) => logger.warn({ problem }, 'part of the input could not be used'),
    onRefold: logRefolds(logger),
    onMissing: ({ from, to, reason }) => logger.warn({ from, to, reason }, 'slots are missing'),
    onSlot: ({ slot, transactions, problems }) => {
      spans?.decoded(slot, transactions.length);
      for (const problem of problems) logger.debug({ slot, problem }, 'not decoded');
    },
  });
  const result = await ingested.finally(() => bundleOracle?.close());
  if (isLive && !signal.aborted && ingestion.status.stopReason === null) {
    throw new ChainError('The source of blocks ended without a reason: start the service again.');
  }
  const facts = { ...result, lastSlot: ingestion.engine.lastSlot };
  logger.info(facts, signal.aborted ? 'ingestion stopped' : 'replay finished');
}

const OLDER_SLOTS =
  'slots were decoded by an older version and keep its figures; "mintscope replay" decodes them again from recorded blocks, if you have any';
const STORE_FAILS = 'writes to the store fail and are retried; ingestion waits';
