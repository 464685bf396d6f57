import type { Config } from '../config/config-settings.ts';
import { UsageError } from '../model/errors.ts';
import { openBlobs } from '../service/backups/open-blobs.ts';
import type { BlobStore } from '../store/blobs/blob-store.ts';

/** Settings that say where backups are stored. */
export const PLACE_SETTINGS: readonly (keyof Config)[] = [
  'backupStore',
  'backupEndpoint',
  'backupRegion',
  'backupAccessKeyId',
  'backupSecretAccessKey',
];

/** Where backups are stored. Throws UsageError if the settings do not say. */
export async function openPlace(config: Config): Promise<BlobStore> {
  const blobs = await openBlobs(config);
  if (blobs === null) throw new UsageError('Name where backups are stored with --backup-store.');
  return blobs;
}
