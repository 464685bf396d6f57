import type { DatabaseSync } from 'node:sqlite';
import { StoreError } from '../model/errors.ts';

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
  if (database.isTransaction) return work();
  try {
    database.exec('BEGIN IMMEDIATE');
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    if (error instanceof StoreError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new StoreError(`The ${name} refused a write: ${reason}`, { cause: error });
  }
}
