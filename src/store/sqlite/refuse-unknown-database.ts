import { existsSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { StoreError } from '../../model/errors.ts';
import {
  type AppliedMigration,
  type Migration,
  pendingMigrations,
} from '../migrations/migration.ts';

/** What a database file begins with; a shorter one holds nothing. */
const HEAD_BYTES = 100;

/**
 * Throws StoreError for a database of another program, or of another version, before anything of it is
 * changed. It is read without its write-ahead log, which reading would change: what stands there alone
 * is looked at once the database is open. A file that cannot be read is nobody's to refuse here.
 */
export function refuseUnknownDatabase(path: string, known: readonly Migration[]): void {
  if (path === ':memory:' || !existsSync(path) || statSync(path).size < HEAD_BYTES) return;
  const place = `The database ${path}`;
  try {
    const untouched = new URL(`${pathToFileURL(path).href}?immutable=1`);
    using database = new DatabaseSync(untouched, { readOnly: true });
    const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
    if (tables.length === 0) return;
    if (!tables.some(({ name }) => name === 'schema_migrations')) {
      throw new StoreError(`${place} is of another program: name another data folder.`);
    }
    pendingMigrations(known, appliedTo(database), place);
  } catch (error) {
    if (!isSqliteError(error)) throw error;
  }
}

/** The migrations that a database has behind it. */
export function appliedTo(database: DatabaseSync): AppliedMigration[] {
  return database
    .prepare('SELECT number, name, checksum FROM schema_migrations ORDER BY number')
    .all() as unknown as AppliedMigration[];
}

function isSqliteError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR';
}
