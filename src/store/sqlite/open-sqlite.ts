import { chmodSync, closeSync, openSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { StoreError } from '../../model/errors.ts';
import { checksumOf, type Migration, pendingMigrations } from '../migrations/migration.ts';
import { resourceRemedy } from '../sql/resource-remedy.ts';
import { appliedTo, refuseUnknownDatabase } from './refuse-unknown-database.ts';

export interface SqliteOptions {
  readonly migrations: readonly Migration[];
  /** How long a write waits for the write of another connection. */
  readonly busyTimeoutMs: number;
  /** FULL: a power cut loses no commit. NORMAL: a power cut may lose the newest commits. */
  readonly synchronous: 'FULL' | 'NORMAL';
  /** Whether to check every page first, which takes too long for a large file. */
  readonly isChecked: boolean;
  /** What the user can do about a file that cannot be opened: the end of the error message. */
  readonly remedy: string;
}

/**
 * Opens a database with a write-ahead log and migrates it to this version. Several connections may
 * be open at once. Throws StoreError when the file is damaged or was written by another version.
 */
export function openSqlite(path: string, options: SqliteOptions): DatabaseSync {
  const label = `The database ${path}`;
  let database: DatabaseSync | null = null;
  try {
    refuseUnknownDatabase(path, options.migrations);
    createForOwner(path);
    database = new DatabaseSync(path, { timeout: options.busyTimeoutMs });
    database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${options.synchronous};`);
    if (options.isChecked) refuseDamage(database);
    migrate(database, options.migrations, label);
    return database;
  } catch (error) {
    database?.close();
    if (error instanceof StoreError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new StoreError(
      `${label} cannot be opened (${reason}): ${resourceRemedy(reason) ?? options.remedy}.`,
      {
        cause: error,
      },
    );
  }
}

/** SQLite creates the files next to a database with the mode of the database. */
function createForOwner(path: string): void {
  if (path === ':memory:') return;
  closeSync(openSync(path, 'a', OWNER_ONLY));
  if ((statSync(path).mode & GROUP_AND_OTHERS) !== 0) chmodSync(path, OWNER_ONLY);
}

const OWNER_ONLY = 0o600;
const GROUP_AND_OTHERS = 0o077;

function refuseDamage(database: DatabaseSync): void {
  const [first] = database.prepare('PRAGMA quick_check(1)').all();
  if (first?.quick_check !== 'ok') throw new Error(String(first?.quick_check));
}

/** Applies pending migrations in one transaction; another process that starts then waits. */
function migrate(database: DatabaseSync, migrations: readonly Migration[], label: string): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    database.exec(
      'CREATE TABLE IF NOT EXISTS schema_migrations ' +
        '(number INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL) STRICT',
    );
    const applied = appliedTo(database);
    const record = database.prepare('INSERT INTO schema_migrations VALUES (?, ?, ?)');
    for (const migration of pendingMigrations(migrations, applied, label)) {
      for (const statement of migration.statements) database.exec(statement);
      record.run(migration.number, migration.name, checksumOf(migration));
    }
    database.exec('COMMIT');
  } catch (error) {
    // SQLite has already ended it where no space is left: its own reason is the one to report.
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}
