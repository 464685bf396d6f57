import { rmSync } from 'node:fs';
import { lockFolder } from './control/folder-lock.ts';
import { prepareDataFolder } from './data-folder.ts';

/**
 * Empties a data folder, or makes it. Throws StoreError for one that another process uses or that
 * holds something else.
 */
export function emptyDataFolder(path: string): void {
  const folder = prepareDataFolder(path);
  const { controlFile, offchainFile, lockFile, engineFolder, snapshotFolder, spillFolder } = folder;
  const lock = lockFolder(path, lockFile);
  try {
    for (const suffix of ['', '-wal', '-shm', '-journal']) {
      rmSync(`${controlFile}${suffix}`, { force: true });
      rmSync(`${offchainFile}${suffix}`, { force: true });
    }
    rmSync(engineFolder, { recursive: true, force: true });
    rmSync(snapshotFolder, { recursive: true, force: true });
    rmSync(spillFolder, { recursive: true, force: true });
  } finally {
    lock.release();
  }
}
