import { DatabaseSync } from 'node:sqlite';
import { openSqlite } from '../sqlite/open-sqlite.ts';
import { inTransaction, isInTransaction } from '../sqlite/sqlite-transaction.ts';
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

/** Number of the last migration. */
export const OFFCHAIN_SCHEMA = OFFCHAIN_MIGRATIONS.reduce(
  (last, { number }) => Math.max(last, number),
  0,
);

/** Runs work in one transaction, and commits it if what it changes may be stored. */
export type OffchainWriter = <Result>(work: () => Result) => Result;

/** Connections whose transactions are shared with other replicas. */
const writers = new WeakMap<DatabaseSync, OffchainWriter>();

/** From now on, `inOffchainTransaction` writes to this connection through `writer`. */
export function shareTransactions(database: DatabaseSync, writer: OffchainWriter): void {
  writers.set(database, writer);
}

/** `inLocalTransaction`, for what all replicas store. Throws StoreError, without any change. */
export function inOffchainTransaction<Result>(database: DatabaseSync, work: () => Result): Result {
  const writer = isInTransaction(database) ? undefined : writers.get(database);
  return writer === undefined ? inLocalTransaction(database, work) : writer(work);
}

/** `inTransaction` with the name of this database, for what concerns this process alone. */
export function inLocalTransaction<Result>(database: DatabaseSync, work: () => Result): Result {
  return inTransaction(database, work, 'database of off-chain facts');
}
