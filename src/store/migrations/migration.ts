import { createHash } from 'node:crypto';
import { StoreError } from '../../model/errors.ts';

/** One numbered, forward-only change of a schema. Never edited once released. */
export interface Migration {
  /** 1, 2, 3 … without gaps. */
  readonly number: number;
  readonly name: string;
  /** Covered by the checksum. SQLite migrations also execute them. */
  readonly statements: readonly string[];
}

export interface AppliedMigration {
  readonly number: number;
  readonly name: string;
  readonly checksum: string;
}

/**
 * The migrations that still have to run, in order. Throws StoreError when the applied migrations
 * are not a prefix of the known ones: such data would be misread.
 */
export function pendingMigrations<Known extends Migration>(
  known: readonly Known[],
  applied: readonly AppliedMigration[],
  label: string,
): readonly Known[] {
  const ordered = [...applied].sort((one, other) => one.number - other.number);
  for (const [index, entry] of ordered.entries()) {
    const match = known[index];
    if (match === undefined) {
      throw new StoreError(
        `${label} was written by a newer version of Mintscope (migration ${entry.number}, ` +
          `${entry.name}): run that version, or name another data folder.`,
      );
    }
    if (match.number !== entry.number || checksumOf(match) !== entry.checksum) {
      throw new StoreError(
        `${label} has another migration ${entry.number} (${entry.name}) than this version of ` +
          'Mintscope: run the version that wrote it, or name another data folder.',
      );
    }
  }
  return known.slice(ordered.length);
}

/** SHA-256 of name and statements, as hex. */
export function checksumOf(migration: Migration): string {
  return createHash('sha256')
    .update(JSON.stringify([migration.number, migration.name, migration.statements]))
    .digest('hex');
}
