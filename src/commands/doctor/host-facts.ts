import { accessSync, constants, existsSync, readdirSync, statfsSync } from 'node:fs';
import { totalmem } from 'node:os';
import { dirname, resolve } from 'node:path';
import { openFilesMax } from '../../lib/open-files.ts';
import { StoreError } from '../../model/errors.ts';
import { lockFolder } from '../../store/control/folder-lock.ts';
import { dataFolderAt, holdsData, isForeign } from '../../store/data-folder.ts';

/** This machine, as far as the service depends on it. */
export interface HostFacts {
  readonly dataDir: string;
  readonly folder: FolderState;
  /** What a process may still write there; null where it is not told. */
  readonly freeBytes: number | null;
  /** What this process may use at most. */
  readonly memoryBytes: number;
  /** Files it may have open; null where there is no limit or it is not told. */
  readonly openFilesMax: number | null;
  readonly nodeVersion: string;
}

/**
 * - `new`: not there yet, and it can be made. `empty`: there, with nothing in it. `ours`: an earlier
 *   run kept data in it. `used`: a running process does.
 * - `foreign`: other things are in it. `unwritable`: it cannot be written, or not be made.
 */
export type FolderState = 'new' | 'empty' | 'ours' | 'used' | 'foreign' | 'unwritable';

/** Looks and changes nothing. */
export function readHostFacts(dataDir: string): HostFacts {
  const existing = nearestExisting(resolve(dataDir));
  const isThere = existing === resolve(dataDir);
  return {
    dataDir,
    folder: isThere ? folderState(existing) : isWritable(existing) ? 'new' : 'unwritable',
    freeBytes: freeBytesAt(existing),
    memoryBytes: memoryBytes(),
    openFilesMax: openFilesMax(),
    nodeVersion: process.versions.node,
  };
}

function nearestExisting(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestExisting(dirname(path));
}

function folderState(path: string): FolderState {
  if (!isWritable(path)) return 'unwritable';
  if (isForeign(readdirSync(path))) return 'foreign';
  if (isLocked(path)) return 'used';
  return holdsData(path) ? 'ours' : 'empty';
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    // A file in the place of a folder.
    readdirSync(path);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return false;
    throw error;
  }
}

function isLocked(path: string): boolean {
  const { lockFile } = dataFolderAt(path);
  if (!existsSync(lockFile)) return false;
  try {
    lockFolder(path, lockFile).release();
    return false;
  } catch (error) {
    if (error instanceof StoreError) return true;
    throw error;
  }
}

function freeBytesAt(path: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return null;
    throw error;
  }
}

/** A container's limit where there is one below the machine's memory. */
function memoryBytes(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}
