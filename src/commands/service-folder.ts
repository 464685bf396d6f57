import { existsSync } from 'node:fs';
import { StoreError } from '../model/errors.ts';
import { isLockedByAnother, lockFolder } from '../store/control/folder-lock.ts';
import { dataFolderAt, holdsData } from '../store/data-folder.ts';

/** Where the data of a simulated market is stored, apart from real data. */
export function simulatedFolder(dataDir: string): string {
  return `${dataDir}-simulated`;
}

/**
 * The folder of the service that commands with `dataDir` mean: the one that a running service uses,
 * else the one with data; of `dataDir` itself and that of a simulated market, in this order.
 */
export function serviceFolder(dataDir: string): string {
  const folders = [dataDir, simulatedFolder(dataDir)];
  return folders.find(isInUse) ?? folders.find(holdsData) ?? dataDir;
}

/** Whether a running process uses the folder. */
export function isInUse(path: string): boolean {
  const { lockFile } = dataFolderAt(path);
  if (!existsSync(lockFile)) return false;
  try {
    lockFolder(path, lockFile).release();
    return false;
  } catch (error) {
    // Otherwise it cannot be locked by anybody, which is another failure.
    if (error instanceof StoreError) return isLockedByAnother(error);
    throw error;
  }
}
