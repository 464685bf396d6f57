import { Command } from 'commander';
import type { FastifyBaseLogger } from 'fastify';
import { PRESETS } from '../../simulator/simulation-config.ts';
import { createLogger } from '../api/logger.ts';
import { openService, type Service } from '../app.ts';
import type { Config } from '../config.ts';
import { StoreError, UsageError } from '../model/errors.ts';
import { ApiThread } from '../serving/api-thread.ts';
import type { ApiSettings } from '../serving/messages.ts';
import { createRecordedSource } from '../sources/recorded/recorded-source.ts';
import { holdsData } from '../store/data-folder.ts';
import { emptyDataFolder } from '../store/empty-data-folder.ts';
import { createDecodePool } from '../workers/decode-pool.ts';
import { type FollowedChain, followChain, namesChain } from './follow-chain.ts';
import { logProgress } from './log-progress.ts';
import { addSettings, settingsOf } from './settings.ts';
import { type Access, startSimulatedMarket } from './simulated-market.ts';
import { stopSignal } from './stop-signals.ts';
import { hostInUrl, welcome } from './welcome.ts';

/** A shutdown that takes longer than this ends without waiting for clients. */
const DRAIN_MS = 8_000;

/**
 * Rows of a chain that is followed are written at least this often. Answers do not wait for it, and
 * each write costs the store ten tables' parts, however few rows there are.
 */
const LIVE_WRITE_MS = 3_000;

/** `start`: serves the API over the data folder, replaying recorded data first if asked. */
export function startCommand(): Command {
  const command = new Command('start')
    .description('Serve the API over a chain, recorded data, or a simulated market.')
    .option(
      '--replay <paths...>',
      'fold recorded getBlock and getTransaction answers while serving',
    )
    .option('--simulate', 'show a simulated market; the default where there is no data folder yet')
    .option('--no-simulate', 'serve the data folder as it is, also an empty one')
    .option('--seed <text>', 'what the simulated market follows from', PRESETS.demo.seed);
  return addSettings(command, true)
    .addHelpText(
      'after',
      `
A simulated market is kept apart from real data, in a folder named as the data folder with
"-simulated" behind it, and begins anew with each start.

Examples:
  mintscope start
  mintscope start --replay blocks/ --port 9000
  SOLANA_RPC_URL=https://rpc.example/key mintscope start
  mintscope start --simulate --seed 7
  MINTSCOPE_BOOTSTRAP_KEY=my-own-secret mintscope start`,
    )
    .action((options: Options) => start(settingsOf({ ...options }), options));
}

interface Options {
  readonly replay?: readonly string[];
  readonly simulate?: boolean;
  readonly seed: string;
}

async function start(config: Config, options: Options): Promise<void> {
  const paths = options.replay ?? [];
  if (isSimulated(config, options)) return startSimulated(config, options.seed);
  const logger = createLogger({ level: config.logLevel });
  const stopping = new AbortController();
  // Made first: a path that leads nowhere should stop the start, not the server.
  const decoder = createDecodePool(config.decodeWorkers);
  const { signal } = stopping;
  const recorded =
    paths.length === 0
      ? null
      : createRecordedSource(paths, { onProgress: logProgress(logger), signal, decoder });
  const live: Feed = {
    isSimulated: false,
    writeAfterMs: LIVE_WRITE_MS,
    begin: (_, service) => followChain(service, config, decoder, logger, signal),
  };
  try {
    const fed = recorded === null ? null : { source: recorded, observer: null };
    const still: Feed = { isSimulated: false, begin: () => fed };
    const feed = recorded === null && namesChain(config) ? live : still;
    await run(config, feed, logger, stopping);
  } finally {
    await decoder?.close();
  }
}

function isSimulated(config: Config, { replay, simulate }: Options): boolean {
  if (simulate === true && replay !== undefined) {
    throw new UsageError('--simulate and --replay exclude each other: leave one of them out.');
  }
  if (simulate !== undefined) return simulate;
  const isTold = replay !== undefined || namesChain(config) || config.clickhouseUrl !== null;
  return !isTold && !holdsData(config.dataDir);
}

async function startSimulated(given: Config, seed: string): Promise<void> {
  if (given.clickhouseUrl !== null) {
    throw new UsageError('A simulated market is kept in a folder: leave the ClickHouse URL out.');
  }
  const config = { ...given, dataDir: `${given.dataDir}-simulated` };
  const logger = createLogger({ level: config.logLevel });
  const stopping = new AbortController();
  emptyDataFolder(config.dataDir);
  const feed: Feed = {
    isSimulated: true,
    writeAfterMs: LIVE_WRITE_MS,
    begin: (access) => ({
      source: startSimulatedMarket(seed, access, logger, stopping.signal),
      observer: null,
    }),
  };
  await run(config, feed, logger, stopping);
}

/** Where slots come from once the service answers. */
interface Feed {
  readonly isSimulated: boolean;
  readonly writeAfterMs?: number;
  /** Null: nothing comes, the data folder is served as it is. */
  readonly begin: (
    access: Access,
    service: Service,
  ) => FollowedChain | null | Promise<FollowedChain | null>;
}

async function run(
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
  });
  try {
    await serve(service, config, feed, logger, stopping);
  } finally {
    await service.close();
  }
  logger.info('stopped');
}

async function serve(
  service: Service,
  config: Config,
  feed: Feed,
  logger: FastifyBaseLogger,
  stopping: AbortController,
): Promise<void> {
  const stopped = stopSignal(logger, stopping);
  const api = await ApiThread.start(service, {
    settings: { ...apiSettingsOf(config), isSimulated: feed.isSimulated },
    lagMaxMs: config.lagMaxSeconds * 1_000,
  });
  const { port } = api;
  logger.info({ host: config.host, port, dataDir: config.dataDir }, 'listening');
  let ingested: Promise<void> | null = null;
  try {
    const url = `http://${hostInUrl(config.host)}:${port}`;
    const fed = await feed.begin({ url, key: welcome(service, config, url) }, service);
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

function apiSettingsOf(config: Config): Omit<ApiSettings, 'isSimulated'> {
  const { host, port, dataDir, logLevel, rateLimitPerMinute, rateLimitBurst, openOps } = config;
  return { host, port, dataDir, logLevel, rateLimitPerMinute, rateLimitBurst, openOps };
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

/** Runs beside the server; what goes wrong with the input is logged, a failing store stops it. */
async function ingest(
  { ingestion }: Service,
  { source, observer }: FollowedChain,
  { writeAfterMs }: Feed,
  logger: FastifyBaseLogger,
  signal: AbortSignal,
): Promise<void> {
  try {
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
    logger.info({ ...result, lastSlot: ingestion.engine.lastSlot }, 'replay finished');
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    logger.error({ err: error }, 'the store refused a write; restart to repair');
  }
}
