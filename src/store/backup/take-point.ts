import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { backup } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { StoreError } from '../../model/errors.ts';
import { stateFolderName } from '../checkpoints/state-folders.ts';
import { type DataFolder, dataFolderAt } from '../data-folder.ts';
import { type FolderPoint, openReadOnly, readFolderPoint } from './folder-point.ts';
import { linkState } from './link-state.ts';
import { linkTables } from './link-tables.ts';

const ATTEMPTS_MAX = 10;
/** Rows are merged, and a changed log is folded again, within seconds. */
const BETWEEN_ATTEMPTS_MS = 3_000;
/** All pages in one step, so that they are those of one transaction. */
const ALL_PAGES = 2 ** 31 - 1;

/**
 * Links or copies everything of a data folder into the empty folder `to`, on the same file system,
 * as of one point: what a process that is killed at that point leaves. A service may be using the
 * folder. Throws StoreError, or an error of the operating system.
 */
export async function takePoint(
  folder: DataFolder,
  to: string,
  onFiles: (files: number) => void,
): Promise<FolderPoint> {
  const target = dataFolderAt(to);
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
    if (attempt > 1) await delay(BETWEEN_ATTEMPTS_MS);
    const point = await tryToTake(folder, target, onFiles);
    if (point !== null) return point;
    for (const path of [target.engineFolder, target.stateFolder]) {
      rmSync(path, { recursive: true, force: true });
    }
    for (const file of [target.controlFile, target.offchainFile]) rmSync(file, { force: true });
  }
  throw new StoreError(
    `The log in ${folder.path} was folded again, or its service restarted, each of ${ATTEMPTS_MAX} ` +
      'times: make the backup later.',
    { isTransient: true },
  );
}

/** Null if what was taken does not fit together. */
async function tryToTake(
  folder: DataFolder,
  target: DataFolder,
  onFiles: (files: number) => void,
): Promise<FolderPoint | null> {
  const before = readFolderPoint(folder.controlFile);
  if (before.isMerging) return null;
  // What was fetched is never ahead of the chain's data, and no checkpoint ahead of the cursor. The
  // tables come last: rows after the cursor are what a kill leaves, too.
  if (existsSync(folder.offchainFile)) await copyDatabase(folder.offchainFile, target.offchainFile);
  const states = stateFolderName(before.fold);
  linkState(join(folder.stateFolder, states), join(target.stateFolder, states));
  await copyDatabase(folder.controlFile, target.controlFile);
  const point = readFolderPoint(target.controlFile);
  mkdirSync(target.engineFolder, { mode: OWNER_ONLY });
  linkTables(folder.engineFolder, target.engineFolder, { onFiles });
  if (existsSync(folder.simulatedMark)) copyFileSync(folder.simulatedMark, target.simulatedMark);
  const after = readFolderPoint(folder.controlFile);
  const isOnePoint = [before, after].every(({ generation }) => generation === point.generation);
  return isOnePoint ? point : null;
}

const OWNER_ONLY = 0o700;

async function copyDatabase(from: string, to: string): Promise<void> {
  try {
    using source = openReadOnly(from);
    await backup(source, to, { rate: ALL_PAGES });
    using copy = openReadOnly(to);
    const [first] = copy.prepare('PRAGMA quick_check(1)').all();
    if (first?.quick_check !== 'ok') throw new Error(String(first?.quick_check));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StoreError(
      `The database ${basename(from)} cannot be backed up (${reason}): restart the service, which ` +
        'says what can be done about the database.',
      { cause: error },
    );
  }
}
