import { lstatSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { StoreError } from '../model/errors.ts';
import { lockFolder } from './control/folder-lock.ts';
import { dataFolderAt, holdsData, prepareDataFolder } from './data-folder.ts';

const MARK_TEXT_HEAD = 'Made by a simulated start of mintscope';
const MARK_TEXT = `${MARK_TEXT_HEAD}, which empties this folder at each start.\n`;

/**
 * Empties the data folder of a simulated market, or creates it. Throws StoreError when the folder
 * is in use by another process, contains foreign files, or contains data without the mark of a
 * simulated start: nothing is removed unless a simulated start created it.
 */
export function emptySimulatedFolder(path: string): void {
  refuseUnmarked(path);
  const folder = prepareDataFolder(path);
  const { controlFile, offchainFile, lockFile, engineFolder, snapshotFolder, spillFolder } = folder;
  const lock = lockFolder(path, lockFile);
  try {
    // Another process may have stored data here between the first check and the lock.
    refuseUnmarked(path);
    writeFileSync(folder.simulatedMark, MARK_TEXT, { mode: 0o600 });
    for (const suffix of ['', '-wal', '-shm', '-journal']) {
      rmSync(`${controlFile}${suffix}`, { force: true });
      rmSync(`${offchainFile}${suffix}`, { force: true });
    }
    rmSync(engineFolder, { recursive: true, force: true });
    rmSync(snapshotFolder, { recursive: true, force: true });
    rmSync(spillFolder, { recursive: true, force: true });
    rmSync(folder.stateFolder, { recursive: true, force: true });
  } finally {
    lock.release();
  }
}

function refuseUnmarked(path: string): void {
  if (!holdsData(path) || isMarked(dataFolderAt(path).simulatedMark)) return;
  throw new StoreError(
    `The folder ${path} holds data and no mark that a simulated start made it: move it away, ` +
      'remove it yourself, or name another folder with --data-dir.',
  );
}

/** A file with the mark's name may have other content. */
function isMarked(mark: string): boolean {
  const found = lstatSync(mark, { throwIfNoEntry: false });
  return found?.isFile() === true && readFileSync(mark, 'utf8').startsWith(MARK_TEXT_HEAD);
}
