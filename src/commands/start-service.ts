import { createLogger } from '../api/logger.ts';
import type { LoadedApiThread } from '../bridge/loaded-api-thread.ts';
import { createRecordedSource } from '../chain/recorded/recorded-source.ts';
import { createDecodePool } from '../chain/threads/decode-pool.ts';
import { isReplicaRole } from '../config/config-cluster.ts';
import type { Config } from '../config/config-settings.ts';
import { UsageError } from '../model/errors.ts';
import { stateMemoryBytesOf } from '../service/state-memory.ts';
import { dataFolderAt, holdsData } from '../store/data-folder.ts';
import { emptySimulatedFolder } from '../store/empty-simulated-folder.ts';
import { followChain, namesChain } from './follow-chain.ts';
import { logProgress } from './log-progress.ts';
import { type Feed, LIVE_WRITE_MS, runService } from './run-service.ts';
import { simulatedFolder } from './service-folder.ts';
import { SimulatedMarket } from './simulated-market.ts';
import type { StartOptions } from './start-options.ts';
import { openServiceScreen } from './terminal/service-screen.ts';
import { warnOfSetup } from './warn-of-setup.ts';

const NO_SOURCE =
  'no chain is followed: the data folder is served as it is; set SOLANA_RPC_URL to follow one';

/**
 * Serves what the settings and options name until the process is asked to stop. `apiThread`
 * will answer requests; the caller ends it if this fails.
 */
export async function startService(
  config: Config,
  options: StartOptions,
  apiThread: LoadedApiThread,
): Promise<void> {
  const paths = options.replay ?? [];
  if (isReplicaRole(config.role)) {
    // The libraries of NATS are loaded only where they are used.
    const { startReplica } = await import('./start-replica.ts');
    return startReplica(config, options, apiThread);
  }
  if (config.offchain === 'follow') throw new UsageError(FOLLOWS_NOBODY);
  if (isSimulated(config, options)) return startSimulated(config, options.seed, apiThread);
  const logger = createLogger({ level: config.logLevel });
  // What the default bound suffices for on mainnet matters where a chain is followed.
  const stateMemoryBytes = namesChain(config)
    ? stateMemoryBytesOf(config.stateMemory)
    : config.stateMemory;
  warnOfSetup({ ...config, stateMemoryBytes }, process.env, logger);
  const stopping = new AbortController();
  // Created first, so that an invalid path fails the start rather than the running server.
  const decoder = createDecodePool(config.decodeWorkers);
  const { signal } = stopping;
  const screen = openServiceScreen();
  const onProgress = screen.onProgress ?? logProgress(logger);
  const recorded =
    paths.length === 0 ? null : createRecordedSource(paths, { onProgress, signal, decoder });
  const live: Feed = {
    simulatedWeb: null,
    simulation: null,
    isLive: true,
    writeAfterMs: LIVE_WRITE_MS,
    begin: (_, service) => followChain(service, config, decoder, logger, signal),
  };
  try {
    const fed = recorded === null ? null : { source: recorded, observer: null };
    const still: Feed = {
      simulatedWeb: null,
      simulation: null,
      isLive: false,
      begin: () => {
        if (fed === null) logger.warn(NO_SOURCE);
        return fed;
      },
    };
    const feed = recorded === null && namesChain(config) ? live : still;
    await runService({ config, feed, logger, stopping, screen, apiThread });
  } finally {
    screen.close();
    await decoder?.close();
  }
}

function isSimulated(config: Config, { replay, simulate }: StartOptions): boolean {
  if (simulate === true && replay !== undefined) {
    throw new UsageError('--simulate and --replay exclude each other: leave one of them out.');
  }
  if (simulate !== undefined) return simulate;
  const isConfigured = replay !== undefined || namesChain(config) || config.clickhouseUrl !== null;
  return !isConfigured && !holdsData(config.dataDir);
}

async function startSimulated(
  given: Config,
  seed: string,
  apiThread: LoadedApiThread,
): Promise<void> {
  if (given.clickhouseUrl !== null) {
    throw new UsageError('A simulated market is stored in a folder: remove the ClickHouse URL.');
  }
  const config = { ...given, dataDir: simulatedFolder(given.dataDir) };
  const logger = createLogger({ level: config.logLevel });
  // Nodes are not asked, even if some are configured: proxies do not matter.
  const { stateMemory: stateMemoryBytes } = config;
  warnOfSetup({ ...config, rpcUrl: null, stateMemoryBytes }, process.env, logger);
  const stopping = new AbortController();
  emptySimulatedFolder(config.dataDir);
  const { offchainFile } = dataFolderAt(config.dataDir);
  const inboxFile = config.offchain === 'off' ? null : offchainFile;
  const { signal } = stopping;
  const market = await SimulatedMarket.open({ seed, inboxFile, logger, signal });
  const screen = openServiceScreen();
  const feed: Feed = {
    simulatedWeb: market.webOrigin,
    simulation: market.origin,
    isLive: false,
    writeAfterMs: LIVE_WRITE_MS,
    begin: (access, service) => ({ source: market.begin(access, service), observer: null }),
  };
  try {
    await runService({ config, feed, logger, stopping, screen, apiThread });
  } finally {
    screen.close();
    await market.close();
  }
}

const FOLLOWS_NOBODY =
  'Only one of several replicas can store what another gathers: --offchain follow needs the role fold or gather.';
