import { rmSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { VERSION } from '../../config/version.ts';
import { makeBackup } from '../../store/backup/make-backup.ts';
import {
  type PushedBackup,
  type PushOptions,
  pushBackup,
} from '../../store/backup/stored-backups.ts';
import type { BlobStore } from '../../store/blobs/blob-store.ts';

export interface StoreBackupRequest extends PushOptions {
  readonly dataDir: string;
  /** Name of the folder of links within the data folder; no two at once have the same. */
  readonly folderName: string;
}

/** A backup that was stored. */
export interface StoredBackup extends PushedBackup {
  /** The stored rows are complete up to this slot; null if nothing was stored. */
  readonly slot: number | null;
  /** Files of the backup, sent or there already. */
  readonly filesTotal: number;
}

/**
 * Links a backup inside the data folder, sends it, and removes the links. The thread has the lowest
 * priority from then on. Rejects with StoreError.
 */
export async function storeBackup(
  blobs: BlobStore,
  { dataDir, folderName, ...options }: StoreBackupRequest,
): Promise<StoredBackup> {
  // Where threads have no priority of their own, that of the whole service would be lowered.
  if (isMainThread || process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW);
  const folder = join(dataDir, folderName);
  // Of a run that was killed.
  rmSync(folder, { recursive: true, force: true });
  try {
    const request = { dataDir, target: folder, version: VERSION, nowMs: Date.now };
    const { manifest } = await makeBackup(request);
    const pushed = await pushBackup(blobs, folder, manifest, options);
    return { ...pushed, slot: manifest.slot, filesTotal: manifest.files.length };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
