import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { StoreError } from '../model/errors.ts';

/** What lies where in a data folder. */
export interface DataFolder {
  readonly path: string;
  readonly controlFile: string;
  /** What was gathered off the chain. */
  readonly offchainFile: string;
  readonly lockFile: string;
  readonly engineFolder: string;
  readonly snapshotFolder: string;
  readonly spillFolder: string;
}

const CONTROL_FILE = 'control.sqlite';
const OFFCHAIN_FILE = 'offchain.sqlite';
const LOCK_FILE = 'lock.sqlite';
const ENGINE_FOLDER = 'clickhouse';
const SNAPSHOT_FOLDER = 'snapshots';
const SPILL_FOLDER = 'spill';

/**
 * Makes the folder, or recognises it. Throws StoreError for a folder with other things in it, so
 * that a mistyped path is not filled, and for one that cannot be made.
 */
export function prepareDataFolder(path: string): DataFolder {
  try {
    // Only the owner may look inside: it holds hashes of keys.
    mkdirSync(path, { recursive: true, mode: 0o700 });
    const entries = readdirSync(path);
    if (isForeign(entries)) {
      throw new StoreError(
        `The folder ${path} holds something else (${entries[0]}): name an empty folder.`,
      );
    }
  } catch (error) {
    if (error instanceof StoreError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new StoreError(
      `The data folder ${path} cannot be used (${reason}): name one that can be written.`,
      { cause: error },
    );
  }
  return dataFolderAt(path);
}

/** What lies where, whether or not it is there. */
export function dataFolderAt(path: string): DataFolder {
  return {
    path,
    controlFile: join(path, CONTROL_FILE),
    offchainFile: join(path, OFFCHAIN_FILE),
    lockFile: join(path, LOCK_FILE),
    engineFolder: join(path, ENGINE_FOLDER),
    snapshotFolder: join(path, SNAPSHOT_FOLDER),
    spillFolder: join(path, SPILL_FOLDER),
  };
}

/** Whether an earlier run kept something in the folder. */
export function holdsData(path: string): boolean {
  return existsSync(join(path, CONTROL_FILE));
}

/** Whether these are the contents of a folder that somebody else uses. */
export function isForeign(entries: readonly string[]): boolean {
  return !entries.includes(CONTROL_FILE) && entries.some((entry) => !OWN.has(entry));
}

const OWN = new Set([
  LOCK_FILE,
  `${LOCK_FILE}-journal`,
  ENGINE_FOLDER,
  SNAPSHOT_FOLDER,
  SPILL_FOLDER,
]);
