import type { BackupConfig } from '../../config/config-backup.ts';
import type { ReadProgress } from '../../store/backup/make-backup.ts';
import type { StoredBackup } from './store-backup.ts';

/** What the thread of backups works with. */
export interface BackupSettings
  extends Pick<
    BackupConfig,
    | 'backupStore'
    | 'backupEndpoint'
    | 'backupRegion'
    | 'backupAccessKeyId'
    | 'backupSecretAccessKey'
    | 'backupKeep'
  > {
  readonly dataDir: string;
}

/** Name of the folder of links within the data folder, besides that of the command. */
export const LINKS_FOLDER = 'backup-upload-service';

/** A question to the thread, which is asked one at a time. */
export interface BackupQuestion {
  readonly kind: 'look' | 'store';
}

/** A question, or that it is no longer asked. */
export type ToBackups = BackupQuestion | { readonly kind: 'stop' };

/** The newest whole backup of a place; null if there is none. */
export type NewestBackup = { readonly key: string; readonly createdMs: number } | null;

/** A backup that was stored, and what was removed after it. */
export interface BackupRun {
  readonly stored: StoredBackup;
  readonly pruned: { readonly backups: number; readonly files: number };
  /** Why nothing was removed, in words; null if that is not so. */
  readonly pruneProblem: string | null;
}

export type FromBackups =
  | { readonly kind: 'looked'; readonly newest: NewestBackup }
  | { readonly kind: 'progress'; readonly progress: ReadProgress }
  | { readonly kind: 'notice'; readonly sentence: string }
  | { readonly kind: 'stored'; readonly run: BackupRun }
  | { readonly kind: 'failed'; readonly reason: string };
