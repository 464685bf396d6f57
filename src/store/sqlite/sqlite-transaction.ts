import type { DatabaseSync } from 'node:sqlite';
import { isTransientError } from '../../lib/transient-error.ts';
import { StoreError } from '../../model/errors.ts';

/** Databases in a transaction that has its end here. */
const inOwn = new WeakSet<DatabaseSync>();

/**
 * Does work in one transaction, within the one that is open already if there is one. Durable when it
 * returns, as far as the database is opened so. Throws StoreError, with nothing changed, when the
 * database refuses; `name` says in it which one that was.
 */
export function inTransaction<Result>(
  database: DatabaseSync,
  work: () => Result,
  name = 'control database',
): Result {
  try {
    return transact(database, work);
  } catch (error) {
    if (error instanceof StoreError || inOwn.has(database)) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new StoreError(`The ${name} refused a write: ${reason}`, {
      cause: error,
      isTransient: isTransientError(error),
    });
  }
}

/** The same, and throws what was thrown. */
export function transact<Result>(database: DatabaseSync, work: () => Result): Result {
  if (inOwn.has(database)) return work();
  // A device that failed may have failed the rollback too: whoever came next would join what is to go.
  if (database.isTransaction) database.exec('ROLLBACK');
  try {
    database.exec('BEGIN IMMEDIATE');
    inOwn.add(database);
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    rollBack(database);
    throw error;
  } finally {
    inOwn.delete(database);
  }
}

/** What cannot be rolled back now, is so by the next transaction. */
function rollBack(database: DatabaseSync): void {
  if (!database.isTransaction) return;
  try {
    database.exec('ROLLBACK');
  } catch (error) {
    if (!isTransientError(error)) throw error;
  }
}
