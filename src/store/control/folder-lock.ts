import { DatabaseSync } from 'node:sqlite';
import { StoreError } from '../../model/errors.ts';

/** SQLite's code for "another connection has it". */
const SQLITE_BUSY = 5;

/**
 * Takes a folder for this process alone, or throws StoreError. The lock is a SQLite transaction
 * that stays open: the operating system ends it with the process, however that ends, so nothing
 * stale is left behind.
 */
export function lockFolder(folder: string, lockFile: string): { release(): void } {
  const database = new DatabaseSync(lockFile, { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (!isBusy(error)) throw error;
    throw new StoreError(
      `The data folder ${folder} is in use by another process: stop that one first, or name ` +
        'another folder.',
      { cause: error },
    );
  }
  return { release: () => database.close() };
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
}
