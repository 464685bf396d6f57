import { existsSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { StoreError } from '../../model/errors.ts';
import {
  type AppliedMigration,
  type Migration,
  pendingMigrations,
} from '../migrations/migration.ts';

/** Length of a database file's header; a shorter file is empty. */
const HEAD_BYTES = 100;

/**
 * Throws StoreError for a database of another program or version, before anything in it is changed.
 * It is read without its write-ahead log, because reading that would change it: content that is
 * only in the log is checked once the database is open. An unreadable file is not refused here.
 */
export function refuseUnknownDatabase(path: string, known: readonly Migration[]): void {
  if (path === ':memory:' || !existsSync(path) || statSync(path).size < HEAD_BYTES) return;
  const label = `The database ${path}`;
  try {
    const untouched = new URL(`${pathToFileURL(path).href}?immutable=1`);
    using database = new DatabaseSync(untouched, { readOnly: true });
    const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
    if (tables.length === 0) return;
    if (!tables.some(({ name }) => name === 'schema_migrations')) {
      throw new StoreError(`${label} is of another program: name another data folder.`);
    }
    pendingMigrations(known, appliedTo(database), label);
  } catch (error) {
    if (!isSqliteError(error)) throw error;
  }
}

/** The migrations that were applied to a database. */
export function appliedTo(database: DatabaseSync): AppliedMigration[] {
  return database
    .prepare('SELECT number, name, checksum FROM schema_migrations ORDER BY number')
    .all() as unknown as AppliedMigration[];
}

function isSqliteError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR';
}
