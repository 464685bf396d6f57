import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { freeBytesAt } from '../../lib/free-bytes.ts';
import { machineMemoryBytes } from '../../lib/machine-memory.ts';
import { openFilesMax } from '../../lib/open-files.ts';
import { belongsToOthers, holdsData, isForeign } from '../../store/data-folder.ts';
import { isInUse } from '../service-folder.ts';

/** The properties of this machine that matter to the service. */
export interface HostFacts {
  readonly dataDir: string;
  readonly folder: FolderState;
  /** Bytes available for writing; null if unknown. */
  readonly freeBytes: number | null;
  /** Memory limit of this process. */
  readonly memoryBytes: number;
  /** Open file limit; null if there is none or it is unknown. */
  readonly openFilesMax: number | null;
  readonly nodeVersion: string;
}

/**
 * State of the data folder:
 * - `new`: does not exist, and can be created. `empty`: exists without content. `ours`: contains
 *   data of an earlier run. `used`: in use by a running process.
 * - `foreign`: contains other files. `unwritable`: cannot be written or created. `of-others`: belongs
 *   to another user, which the service refuses.
 */
export type FolderState =
  | 'new'
  | 'empty'
  | 'ours'
  | 'used'
  | 'foreign'
  | 'unwritable'
  | 'of-others';

/** Reads without changing anything. */
export function readHostFacts(dataDir: string): HostFacts {
  const existing = nearestExisting(resolve(dataDir));
  const isThere = existing === resolve(dataDir);
  return {
    dataDir,
    folder: isThere ? folderState(existing) : isWritable(existing) ? 'new' : 'unwritable',
    freeBytes: freeBytesAt(existing),
    memoryBytes: machineMemoryBytes(),
    openFilesMax: openFilesMax(),
    nodeVersion: process.versions.node,
  };
}

function nearestExisting(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestExisting(dirname(path));
}

function folderState(path: string): FolderState {
  if (belongsToOthers(path)) return 'of-others';
  if (!isWritable(path)) return 'unwritable';
  if (isForeign(readdirSync(path))) return 'foreign';
  if (isInUse(path)) return 'used';
  return holdsData(path) ? 'ours' : 'empty';
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    // Fails for a file at the path of the folder.
    readdirSync(path);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return false;
    throw error;
  }
}
