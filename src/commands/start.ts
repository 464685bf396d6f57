import type { AddressInfo } from 'node:net';
import { Command } from 'commander';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { PRESETS } from '../../simulator/simulation-config.ts';
import { createLogger } from '../api/logger.ts';
import { createApi, openService, type Service } from '../app.ts';
import type { Config } from '../config.ts';
import { StoreError, UsageError } from '../model/errors.ts';
import { createRecordedSource } from '../sources/recorded/recorded-source.ts';
import type { Source } from '../sources/source.ts';
import { DEFAULT_ACCOUNT, KEY_SCOPES } from '../store/control/api-keys.ts';
import { holdsData } from '../store/data-folder.ts';
import { emptyDataFolder } from '../store/empty-data-folder.ts';
import { createDecodePool } from '../workers/decode-pool.ts';
import { followChain } from './follow-chain.ts';
import { logProgress } from './log-progress.ts';
import { addSettings, settingsOf } from './settings.ts';
import { type Access, startSimulatedMarket } from './simulated-market.ts';

/** A shutdown that takes longer than this ends without waiting for clients. */
const DRAIN_MS = 8_000;

/** Rows of a chain that is followed are written at least this often. */
const LIVE_WRITE_MS = 300;

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
    const still: Feed = { isSimulated: false, begin: () => recorded };
    const feed = recorded === null && config.rpcUrl !== null ? live : still;
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
  const isTold = replay !== undefined || config.rpcUrl !== null || config.clickhouseUrl !== null;
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
    begin: (access) => startSimulatedMarket(seed, access, logger, stopping.signal),
  };
  await run(config, feed, logger, stopping);
}

/** Where slots come from once the service answers. */
interface Feed {
  readonly isSimulated: boolean;
  readonly writeAfterMs?: number;
  /** Null: nothing comes, the data folder is served as it is. */
  readonly begin: (access: Access, service: Service) => Source | null | Promise<Source | null>;
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
  const api = createApi(service, config, logger, feed.isSimulated);
  const stopped = new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.once(signal, () => {
        logger.info({ signal }, 'stopping');
        stopping.abort();
        resolve();
      });
    }
  });
  await listen(api, config);
  const { port } = api.server.address() as AddressInfo;
  logger.info({ host: config.host, port, dataDir: config.dataDir }, 'listening');
  const url = `http://${hostInUrl(config.host)}:${port}`;
  const source = await feed.begin({ url, key: welcome(service, config, url) }, service);
  warnOfOlderSlots(service, logger);
  const replayed = source === null ? null : replay(service, source, feed, logger, stopping.signal);
  try {
    await Promise.race([stopped, failureOf(replayed)]);
  } finally {
    const drain = setTimeout(() => api.server.closeAllConnections(), DRAIN_MS);
    await Promise.all([replayed, api.close()]);
    clearTimeout(drain);
  }
}

/** Rejects when the work fails, and never resolves: it may end before the server does. */
function failureOf(work: Promise<void> | null): Promise<never> {
  return new Promise((_, reject) => work?.catch(reject));
}

/** Throws UsageError for an address or port that cannot be had. */
async function listen(api: FastifyInstance, { host, port }: Config): Promise<void> {
  try {
    await api.listen({ host, port });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (!LISTEN_REFUSALS.has(code)) throw error;
    const message = `Cannot listen on ${host} port ${port} (${code}): choose another with --host or --port.`;
    throw new UsageError(message, { cause: error });
  }
}

const LISTEN_REFUSALS = new Set(['EADDRINUSE', 'EACCES', 'EADDRNOTAVAIL', 'ENOTFOUND']);

function warnOfOlderSlots({ ingestion }: Service, logger: FastifyBaseLogger): void {
  const slots = ingestion.olderSlots;
  if (slots === 0) return;
  logger.warn({ slots }, 'slots were decoded by an older version; replay their records again');
}

/**
 * Makes sure that a key exists and says how to use it. A made key is shown this once. Returns what
 * stands for the key in a command line.
 */
function welcome({ store }: Service, config: Config, url: string): string {
  const key = keyToShow(store, config);
  const isBootstrap = config.bootstrapKey !== null;
  const lines = [`Mintscope listens on ${url}; its reference is at ${url}/docs`];
  if (key !== null) {
    lines.push(`API key, shown this once: ${key}`);
    lines.push(`curl -H 'X-API-Key: ${key}' ${url}/readyz`);
  } else if (isBootstrap) {
    lines.push('The bootstrap key is installed.');
    lines.push(`curl -H "X-API-Key: $MINTSCOPE_BOOTSTRAP_KEY" ${url}/readyz`);
  } else {
    lines.push(
      'API keys exist: "mintscope keys list" shows them, "mintscope keys create" makes one.',
    );
  }
  process.stdout.write(`${lines.join('\n')}\n`);
  return key ?? (isBootstrap ? '$MINTSCOPE_BOOTSTRAP_KEY' : 'your-key');
}

function keyToShow(store: Service['store'], config: Config): string | null {
  if (config.bootstrapKey !== null) {
    const state = store.keys.installBootstrap(config.bootstrapKey);
    if (state !== 'revoked') return null;
  }
  if (store.keys.list().length > 0) return null;
  const request = {
    accountId: DEFAULT_ACCOUNT,
    scopes: KEY_SCOPES,
    label: 'first start',
    expiresAtMs: null,
  };
  return store.keys.create(request).text;
}

/** Runs beside the server; what goes wrong with the input is logged, a failing store stops it. */
async function replay(
  { ingestion }: Service,
  source: Source,
  { writeAfterMs }: Feed,
  logger: FastifyBaseLogger,
  signal: AbortSignal,
): Promise<void> {
  try {
    const result = await ingestion.ingest(source, {
      signal,
      ...(writeAfterMs === undefined ? {} : { writeAfterMs }),
      onProblem: (problem) => logger.warn({ problem }, 'part of the input could not be used'),
      onSnapshotProblem: (sentence) => logger.warn(sentence),
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

function hostInUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
