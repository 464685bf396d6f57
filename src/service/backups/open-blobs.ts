import type { BackupConfig } from '../../config/config-backup.ts';
import { UsageError } from '../../model/errors.ts';
import type { BlobStore } from '../../store/blobs/blob-store.ts';
import { FolderBlobs } from '../../store/blobs/folder-blobs.ts';

type BlobSettings = Omit<BackupConfig, 'backupEvery' | 'backupKeep'>;

/** Where the settings say that backups are stored; null for nowhere. Throws UsageError. */
export async function openBlobs(config: BlobSettings): Promise<BlobStore | null> {
  const { backupStore: place, backupRegion: region } = config;
  if (place === null) return null;
  if (place.kind === 'folder') return new FolderBlobs(place.path);
  const { backupAccessKeyId: accessKeyId, backupSecretAccessKey: secretAccessKey } = config;
  if (accessKeyId === null || secretAccessKey === null) {
    throw new UsageError(
      'Backups in S3 need an access key: set MINTSCOPE_BACKUP_ACCESS_KEY_ID and MINTSCOPE_BACKUP_SECRET_ACCESS_KEY.',
    );
  }
  const endpoint = config.backupEndpoint ?? `https://s3.${region}.amazonaws.com`;
  const { bucket, prefix } = place;
  // Its library is loaded only where it is used.
  const { S3Blobs } = await import('../../store/blobs/s3-blobs.ts');
  return new S3Blobs({ endpoint, region, bucket, prefix, accessKeyId, secretAccessKey });
}
