import { Command } from 'commander';
import { PRESETS } from '../../simulator/simulation-presets.ts';
import { createLogger } from '../api/logger.ts';
import { createRecordedSource } from '../chain/recorded/recorded-source.ts';
import { createDecodePool } from '../chain/threads/decode-pool.ts';
import type { Config } from '../config/config-settings.ts';
import { UsageError } from '../model/errors.ts';
import { dataFolderAt, holdsData } from '../store/data-folder.ts';
import { emptySimulatedFolder } from '../store/empty-simulated-folder.ts';
import { followChain, namesChain } from './follow-chain.ts';
import { logProgress } from './log-progress.ts';
import { type Feed, runService } from './run-service.ts';
import { addSettings, settingsOf } from './settings.ts';
import { SimulatedMarket } from './simulated-market.ts';

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
  MINTSCOPE_BOOTSTRAP_KEY="$(openssl rand -base64 24)" mintscope start`,
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
    simulatedWeb: null,
    isLive: true,
    writeAfterMs: LIVE_WRITE_MS,
    begin: (_, service) => followChain(service, config, decoder, logger, signal),
  };
  try {
    const fed = recorded === null ? null : { source: recorded, observer: null };
    const still: Feed = { simulatedWeb: null, isLive: false, begin: () => fed };
    const feed = recorded === null && namesChain(config) ? live : still;
    await runService(config, feed, logger, stopping);
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
  emptySimulatedFolder(config.dataDir);
  const { offchainFile } = dataFolderAt(config.dataDir);
  const inboxFile = config.offchain === 'off' ? null : offchainFile;
  const { signal } = stopping;
  const market = await SimulatedMarket.open({ seed, inboxFile, logger, signal });
  const feed: Feed = {
    simulatedWeb: market.webOrigin,
    isLive: false,
    writeAfterMs: LIVE_WRITE_MS,
    begin: (access, service) => ({ source: market.begin(access, service), observer: null }),
  };
  try {
    await runService(config, feed, logger, stopping);
  } finally {
    await market.close();
  }
}
