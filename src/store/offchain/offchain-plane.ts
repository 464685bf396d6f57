import { DatabaseSync } from 'node:sqlite';
import { openSqlite } from '../sqlite/open-sqlite.ts';
import { inTransaction } from '../sqlite/sqlite-transaction.ts';
import { OFFCHAIN_MIGRATIONS } from './offchain-migrations.ts';

/** How long a write waits for another connection: only migrations and one thread write. */
const BUSY_TIMEOUT_MS = 5_000;

/**
 * Opens the database of what was gathered off the chain, and brings it to this version. A kill of
 * the process loses nothing that was committed, a power cut at most the newest commits: the place
 * that was reached is in the same file, so that what is lost is told and gathered again.
 *
 * Throws StoreError when the file is damaged or written by another version.
 */
export function openOffchainPlane(path: string): DatabaseSync {
  return openSqlite(path, {
    migrations: OFFCHAIN_MIGRATIONS,
    busyTimeoutMs: BUSY_TIMEOUT_MS,
    synchronous: 'NORMAL',
    isChecked: false,
    wayOut: 'move it away, and it is gathered anew',
  });
}

/** The same for reading only. The file must be there. */
export function openOffchainReader(path: string): DatabaseSync {
  return new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
}

/** As `inTransaction`, of this database. */
export function inOffchainTransaction<Result>(database: DatabaseSync, work: () => Result): Result {
  return inTransaction(database, work, 'database of off-chain facts');
}
