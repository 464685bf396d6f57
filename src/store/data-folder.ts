import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { StoreError } from '../model/errors.ts';
import { CONTROL_MIGRATIONS } from './control/control-migrations.ts';
import { refuseUnknownDatabase } from './sqlite/refuse-unknown-database.ts';

/** Paths of the parts of a data folder. */
export interface DataFolder {
  readonly path: string;
  readonly controlFile: string;
  /** The database of data that was fetched from outside the chain. */
  readonly offchainFile: string;
  readonly lockFile: string;
  readonly engineFolder: string;
  readonly snapshotFolder: string;
  /** Checkpoints of the folded state. */
  readonly stateFolder: string;
  /** Figures of lists that are not in memory; begins empty at each start. */
  readonly marketPagesFile: string;
  readonly spillFolder: string;
  readonly simulatedMark: string;
}

const CONTROL_FILE = 'control.sqlite';
const OFFCHAIN_FILE = 'offchain.sqlite';
const LOCK_FILE = 'lock.sqlite';
const ENGINE_FOLDER = 'clickhouse';
const SNAPSHOT_FOLDER = 'snapshots';
const STATE_FOLDER = 'state';
const MARKET_PAGES_FILE = 'market-pages';
const SPILL_FOLDER = 'spill';
/** Marks a folder that a simulated start created and may empty. */
const SIMULATED_MARK = 'simulated-market';

/**
 * Creates the folder, or accepts an existing data folder. Throws StoreError, without changing the
 * folder, when it contains foreign files (a mistyped path must not be filled), belongs to another
 * user, was written by a newer version, or cannot be created or written.
 */
export function prepareDataFolder(path: string): DataFolder {
  try {
    makeFolder(path);
    refuseStrangers(path);
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
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

/** Node's own recursion never ends in folders of the system that take no entries, such as /proc. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeFolder(parent);
  try {
    mkdirSync(path, { mode: OWNER_ONLY });
  } catch (error) {
    // Another process made it meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** The folder contains webhook secrets and key hashes: only its owner may read or enter it. */
const OWNER_ONLY = 0o700;
const GROUP_AND_OTHERS = 0o077;

/** Whether another user owns the folder. Root may use any folder. */
export function belongsToOthers(path: string): boolean {
  const user = process.getuid?.();
  return user !== undefined && user !== 0 && statSync(path).uid !== user;
}

function refuseStrangers(path: string): void {
  if (!belongsToOthers(path)) return;
  throw new StoreError(
    `The folder ${path} belongs to another user: name one of your own, or change its owner.`,
  );
}

/** Restricts permissions that an older version or an administrator left open. */
function closeToOthers(path: string): void {
  if ((statSync(path).mode & GROUP_AND_OTHERS) !== 0) chmodSync(path, OWNER_ONLY);
}

/** The paths of a data folder, whether or not they exist. */
export function dataFolderAt(path: string): DataFolder {
  return {
    path,
    controlFile: join(path, CONTROL_FILE),
    offchainFile: join(path, OFFCHAIN_FILE),
    lockFile: join(path, LOCK_FILE),
    engineFolder: join(path, ENGINE_FOLDER),
    snapshotFolder: join(path, SNAPSHOT_FOLDER),
    stateFolder: join(path, STATE_FOLDER),
    marketPagesFile: join(path, STATE_FOLDER, MARKET_PAGES_FILE),
    spillFolder: join(path, SPILL_FOLDER),
    simulatedMark: join(path, SIMULATED_MARK),
  };
}

/** Whether the folder contains data of an earlier run. */
export function holdsData(path: string): boolean {
  return existsSync(join(path, CONTROL_FILE));
}

/** Whether these entries show that the folder belongs to something else. */
export function isForeign(entries: readonly string[]): boolean {
  return !entries.includes(CONTROL_FILE) && entries.some((entry) => !OWN.has(entry));
}

const OWN = new Set([
  LOCK_FILE,
  `${LOCK_FILE}-journal`,
  ENGINE_FOLDER,
  SNAPSHOT_FOLDER,
  STATE_FOLDER,
  SPILL_FOLDER,
  SIMULATED_MARK,
]);
