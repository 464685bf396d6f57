import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { StoreError } from '../model/errors.ts';
import { lockFolder } from './control/folder-lock.ts';
import { holdsData, prepareDataFolder } from './data-folder.ts';

const MARK_TEXT =
  'Made by a simulated start of mintscope, which empties this folder at each start.\n';

/**
 * Empties the data folder of a simulated market, or makes it. Throws StoreError for one that another
 * process uses, that holds something else, or that holds data without the mark of a simulated start:
 * nothing is removed on a guess.
 */
export function emptySimulatedFolder(path: string): void {
  const folder = prepareDataFolder(path);
  const { controlFile, offchainFile, lockFile, engineFolder, snapshotFolder, spillFolder } = folder;
  const lock = lockFolder(path, lockFile);
  try {
    if (holdsData(path) && !existsSync(folder.simulatedMark)) {
      throw new StoreError(
        `The folder ${path} holds data and no mark that a simulated start made it: move it away, ` +
          'remove it yourself, or name another folder with --data-dir.',
      );
    }
    writeFileSync(folder.simulatedMark, MARK_TEXT, { mode: 0o600 });
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
