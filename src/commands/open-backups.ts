import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../config/config-settings.ts';
import { monotonicClock } from '../lib/clock.ts';
import { UsageError } from '../model/errors.ts';
import { BackupSchedule } from '../service/backups/backup-schedule.ts';
import { BackupThread } from '../service/backups/backup-thread.ts';

export interface OpenBackupsOptions {
  readonly logger: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>;
  /** Whether it is for this process to store a backup now; it always is if undefined. */
  readonly mayStore: (() => Promise<boolean>) | undefined;
}

/** Stores backups at an interval, if the settings want it; null if not. */
export function openBackups(
  config: Config,
  { logger, mayStore = async () => true }: OpenBackupsOptions,
): BackupSchedule | null {
  const { backupEvery: everyMs } = config;
  if (everyMs === null) return null;
  const thread: BackupThread = new BackupThread(settingsOf(config), {
    onProgress: (progress) => schedule.progress(progress),
    onNotice: (sentence) => logger.info(sentence),
  });
  thread.removeLinks();
  const schedule = new BackupSchedule({
    ...{ everyMs, mayStore, clock: monotonicClock, wallMs: Date.now },
    newest: () => thread.newest(),
    store: () => thread.store(),
    stop: () => thread.stop(),
    onStored: ({ stored: { key, slot, files, bytes }, pruned }) =>
      logger.info({ key, slot, files, bytes, pruned }, 'a backup was stored'),
    onFailed: (reason) => logger.error({ reason }, 'backups fail'),
  });
  return schedule;
}

/** Throws UsageError if backups are wanted that cannot be stored. */
export function assertBackups({ backupEvery, backupStore, clickhouseUrl }: Config): void {
  if (backupEvery === null) return;
  if (backupStore === null) {
    throw new UsageError(
      '--backup-every needs --backup-store, which names where to store backups.',
    );
  }
  if (clickhouseUrl === null) return;
  throw new UsageError(
    '--backup-every backs up tables in the data folder, and --clickhouse-url has them on a server: back them up there.',
  );
}

/** Only what the thread needs: settings have secrets. */
function settingsOf(config: Config) {
  const { dataDir, backupStore, backupEndpoint, backupRegion, backupKeep } = config;
  const { backupAccessKeyId, backupSecretAccessKey } = config;
  return {
    ...{ dataDir, backupStore, backupEndpoint, backupRegion, backupKeep },
    ...{ backupAccessKeyId, backupSecretAccessKey },
  };
}
