import { DatabaseSync } from 'node:sqlite';
import { openSqlite } from '../sqlite/open-sqlite.ts';
import { inTransaction } from '../sqlite/sqlite-transaction.ts';
import { OFFCHAIN_MIGRATIONS } from './offchain-migrations.ts';

/** How long a write waits for another connection: only migrations and one thread write. */
const BUSY_TIMEOUT_MS = 5_000;

/**
 * Opens the database of off-chain data and migrates it to this version. A kill of the process loses
 * no commit, a power cut at most the newest commits: the slot that was reached is in the same file,
 * so lost data are fetched again.
 *
 * Throws StoreError when the file is damaged or was written by another version.
 */
export function openOffchainPlane(path: string): DatabaseSync {
  return openSqlite(path, {
    migrations: OFFCHAIN_MIGRATIONS,
    busyTimeoutMs: BUSY_TIMEOUT_MS,
    synchronous: 'NORMAL',
    isChecked: false,
    remedy: 'move it away, and its content is fetched again',
  });
}

/** Opens the database read-only. The file must exist. */
export function openOffchainReader(path: string): DatabaseSync {
  return new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
}

/** `inTransaction` with the name of this database. */
export function inOffchainTransaction<Result>(database: DatabaseSync, work: () => Result): Result {
  return inTransaction(database, work, 'database of off-chain facts');
}
