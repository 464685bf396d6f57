import { DatabaseSync } from 'node:sqlite';
import { isTransientError } from '../../lib/transient-error.ts';
import { StoreError } from '../../model/errors.ts';
import { resourceRemedy } from '../sql/resource-remedy.ts';

/** SQLite's result code when another connection has the lock. */
const SQLITE_BUSY = 5;

/**
 * Locks a folder for this process, or throws StoreError. The lock is an open SQLite transaction,
 * which the operating system ends with the process, so no stale lock is left after a crash.
 */
export function lockFolder(folder: string, lockFile: string): { release(): void } {
  const database = openLock(folder, lockFile);
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (!isBusy(error)) throw refusal(folder, error);
    throw new StoreError(
      `The data folder ${folder} is in use by another process: stop that one first, or name ` +
        'another folder.',
      { cause: error },
    );
  }
  return { release: () => database.close() };
}

function openLock(folder: string, lockFile: string): DatabaseSync {
  try {
    return new DatabaseSync(lockFile, { timeout: 0 });
  } catch (error) {
    throw refusal(folder, error);
  }
}

function refusal(folder: string, error: unknown): StoreError {
  const reason = error instanceof Error ? error.message : String(error);
  const isTransient = isTransientError(error);
  const remedy = resourceRemedy(reason);
  const message =
    remedy === null
      ? `The data folder ${folder} cannot be locked: ${reason}.`
      : `The data folder ${folder} cannot be locked (${reason}): ${remedy}.`;
  return new StoreError(message, { cause: error, isTransient });
}

/** Whether `lockFolder` failed because another process has the lock, and not for another reason. */
export function isLockedByAnother(error: unknown): boolean {
  return error instanceof StoreError && isBusy(error.cause);
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
}
