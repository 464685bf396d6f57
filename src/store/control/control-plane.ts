import { DatabaseSync } from 'node:sqlite';
import { StoreError } from '../../model/errors.ts';
import { type AppliedMigration, checksumOf, pendingMigrations } from '../migrations/migration.ts';
import { CONTROL_MIGRATIONS } from './control-migrations.ts';

/** How long a write waits for another process to finish its own: key commands take milliseconds. */
const BUSY_TIMEOUT_MS = 5_000;

/**
 * Opens the small transactional database: keys, cursor. Several processes may have it open at
 * once. Throws StoreError when the file is damaged or written by another version.
 */
export function openControlPlane(path: string): DatabaseSync {
  const place = `The database ${path}`;
  let database: DatabaseSync | null = null;
  try {
    database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
    refuseDamage(database);
    migrate(database, place);
    return database;
  } catch (error) {
    database?.close();
    if (error instanceof StoreError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new StoreError(
      `${place} cannot be opened (${reason}): restore it from a copy, or name an empty folder.`,
      { cause: error },
    );
  }
}

function refuseDamage(database: DatabaseSync): void {
  const [first] = database.prepare('PRAGMA quick_check(1)').all();
  if (first?.quick_check !== 'ok') throw new Error(String(first?.quick_check));
}

/** Applies what is missing in one transaction; another process that starts meanwhile waits. */
function migrate(database: DatabaseSync, place: string): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    database.exec(
      'CREATE TABLE IF NOT EXISTS schema_migrations ' +
        '(number INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL) STRICT',
    );
    const applied = database
      .prepare('SELECT number, name, checksum FROM schema_migrations ORDER BY number')
      .all() as unknown as AppliedMigration[];
    const record = database.prepare('INSERT INTO schema_migrations VALUES (?, ?, ?)');
    for (const migration of pendingMigrations(CONTROL_MIGRATIONS, applied, place)) {
      for (const statement of migration.statements) database.exec(statement);
      record.run(migration.number, migration.name, checksumOf(migration));
    }
    database.exec('COMMIT');
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
}
