import type { DatabaseSync } from 'node:sqlite';
import { isTransientError } from '../../lib/transient-error.ts';
import { StoreError } from '../../model/errors.ts';

/** Databases whose current transaction was begun by `transact`. */
const inOwn = new WeakSet<DatabaseSync>();

/**
 * Runs `work` in one transaction, or within the open one. Durable when it returns, as far as the
 * database's `synchronous` setting allows. Throws StoreError, without any change, when the database
 * refuses; `name` is the database's name in the message.
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

/** Whether a transaction is open that work would join. */
export function isInTransaction(database: DatabaseSync): boolean {
  return inOwn.has(database);
}

/** Like `inTransaction`, but errors are thrown unchanged. */
export function transact<Result>(database: DatabaseSync, work: () => Result): Result {
  if (inOwn.has(database)) return work();
  // After a failed rollback the old transaction is still open: work must not join it.
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

/**
 * Runs `work` and takes back what it changed: what it would return if it were made now. Throws as
 * `inTransaction` does.
 */
export function rehearsed<Result>(database: DatabaseSync, work: () => Result): Result {
  return inTransaction(database, () => {
    database.exec('SAVEPOINT rehearsal');
    const result = work();
    database.exec('ROLLBACK TO rehearsal');
    database.exec('RELEASE rehearsal');
    return result;
  });
}

/** If the rollback fails now, the next transaction repeats it. */
function rollBack(database: DatabaseSync): void {
  if (!database.isTransaction) return;
  try {
    database.exec('ROLLBACK');
  } catch (error) {
    if (!isTransientError(error)) throw error;
  }
}
