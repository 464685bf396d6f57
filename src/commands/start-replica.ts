import { createLogger } from '../api/logger.ts';
import type { LoadedApiThread } from '../bridge/loaded-api-thread.ts';
import type { Config } from '../config/config-settings.ts';
import { UsageError } from '../model/errors.ts';
import { openBlobs } from '../service/backups/open-blobs.ts';
import { stateMemoryBytesOf } from '../service/state-memory.ts';
import { beginWithBackup } from './begin-with-backup.ts';
import { Replica } from './open-replica.ts';
import { natsServersOf } from './open-step-log.ts';
import { type Feed, LIVE_WRITE_MS, runService } from './run-service.ts';
import type { StartOptions } from './start-options.ts';
import { openServiceScreen } from './terminal/service-screen.ts';
import { warnOfSetup } from './warn-of-setup.ts';

/** Serves what the stream has; the steps are those of every other replica. */
export async function startReplica(
  config: Config,
  { replay, simulate }: StartOptions,
  apiThread: LoadedApiThread,
): Promise<void> {
  if (replay !== undefined || simulate === true) {
    throw new UsageError('A replica reads a stream: leave out --replay and --simulate.');
  }
  if (config.rulesFolder !== null) {
    throw new UsageError(
      'Replicas of several machines judge the rules that are published to one of them: leave out --rules-folder.',
    );
  }
  natsServersOf(config);
  const logger = createLogger({ level: config.logLevel });
  const stateMemoryBytes = stateMemoryBytesOf(config.stateMemory);
  warnOfSetup({ ...config, rpcUrl: null, stateMemoryBytes }, process.env, logger);
  const blobs = await openBlobs(config);
  if (blobs !== null) {
    await beginWithBackup(blobs, config.dataDir, (sentence) => logger.info(sentence));
  }
  const stopping = new AbortController();
  const screen = openServiceScreen();
  const shared = new Replica(config, logger, stopping.signal);
  const feed: Feed = {
    simulatedWeb: null,
    simulation: null,
    isLive: true,
    isShared: true,
    writeAfterMs: LIVE_WRITE_MS,
    openReplica: (service) => shared.open(service),
    openOffchain: () => shared.openOffchain(),
    mayStoreBackup: () => shared.mayStoreBackup(),
    begin: (_, service, hooks) => shared.follow(service, hooks),
    resume: (service, hooks) => shared.resume(service, hooks),
  };
  try {
    await runService({ config, feed, logger, stopping, screen, apiThread });
  } finally {
    screen.close();
    await shared.close();
  }
}
