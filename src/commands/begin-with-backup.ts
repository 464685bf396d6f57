import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { VERSION } from '../config/version.ts';
import { makeFolder } from '../lib/make-folder.ts';
import { restoreBackup } from '../store/backup/restore-backup.ts';
import { fetchBackup } from '../store/backup/stored-backups.ts';
import type { BlobStore } from '../store/blobs/blob-store.ts';
import { holdsData } from '../store/data-folder.ts';

const OWNER_ONLY = 0o700;

/** Notices of a beginning, as sentences. */
export type OnNotice = (sentence: string) => void;

/**
 * Fills a data folder that has no data with the newest stored backup that can be used. Changes
 * nothing if there is none. Rejects with StoreError.
 */
export async function beginWithBackup(
  blobs: BlobStore,
  dataDir: string,
  onNotice: OnNotice,
): Promise<void> {
  if (holdsData(dataDir)) return;
  const folder = join(dataDir, 'fetched');
  // Of a run that was killed.
  rmSync(folder, { recursive: true, force: true });
  onNotice(`The data folder is empty: the newest backup of ${blobs.name} is fetched.`);
  makeFolder(dataDir, OWNER_ONLY);
  try {
    const manifest = await fetchBackup(blobs, { folder, version: VERSION }, onNotice);
    if (manifest === null) {
      onNotice(`${blobs.name} has no backup: the replica begins with the stream.`);
      return;
    }
    restoreBackup({ backup: folder, dataDir, version: VERSION, isMoved: true });
    onNotice(`The backup as of slot ${manifest.slot ?? 'none'} was restored.`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
