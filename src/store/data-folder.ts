import { chmodSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { StoreError } from '../model/errors.ts';
import { CONTROL_MIGRATIONS } from './control/control-migrations.ts';
import { refuseUnknownDatabase } from './sqlite/refuse-unknown-database.ts';

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
  readonly simulatedMark: string;
}

const CONTROL_FILE = 'control.sqlite';
const OFFCHAIN_FILE = 'offchain.sqlite';
const LOCK_FILE = 'lock.sqlite';
const ENGINE_FOLDER = 'clickhouse';
const SNAPSHOT_FOLDER = 'snapshots';
const SPILL_FOLDER = 'spill';
/** Says that a simulated start made the folder and may empty it again. */
const SIMULATED_MARK = 'simulated-market';

/**
 * Makes the folder, or recognises it. Throws StoreError for a folder with other things in it, so
 * that a mistyped path is not filled, for one of another user or a newer version, and for one that
 * cannot be made; nothing in it is changed then.
 */
export function prepareDataFolder(path: string): DataFolder {
  try {
    mkdirSync(path, { recursive: true, mode: OWNER_ONLY });
    refuseStrangers(path);
    const entries = readdirSync(path);
    if (isForeign(entries)) {
      throw new StoreError(
        `The folder ${path} holds something else (${entries[0]}): name an empty folder.`,
      );
    }
    refuseUnknownDatabase(join(path, CONTROL_FILE), CONTROL_MIGRATIONS);
    closeToOthers(path);
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

/** It holds webhook secrets and hashes of keys: others may neither read nor enter it. */
const OWNER_ONLY = 0o700;
const GROUP_AND_OTHERS = 0o077;

/** Root may use anybody's folder. Throws StoreError where somebody else owns it. */
function refuseStrangers(path: string): void {
  const user = process.getuid?.();
  if (user === undefined || user === 0 || statSync(path).uid === user) return;
  throw new StoreError(
    `The folder ${path} belongs to another user: name one of your own, or change its owner.`,
  );
}

/** Tightens what an older version or a hand left open. */
function closeToOthers(path: string): void {
  if ((statSync(path).mode & GROUP_AND_OTHERS) !== 0) chmodSync(path, OWNER_ONLY);
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
    simulatedMark: join(path, SIMULATED_MARK),
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
  SIMULATED_MARK,
]);
