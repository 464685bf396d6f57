/** What a transaction changes of the tables that all replicas have, as a changeset of SQLite. */
import { constants, type DatabaseSync } from 'node:sqlite';
import { isTransientError } from '../../lib/transient-error.ts';
import { changesetFault } from '../sqlite/changeset-fault.ts';

/** Where posts are that clients sent to any replica. */
const RECEIVED = 'received_posts';
/** Jobs are shared, except that one is running, or due, on the replica that gathers. */
const JOBS = 'jobs';

/** Tables whose rows are those of the stream. Each has a primary key, as sessions need. */
export const SHARED_TABLES = [
  ...[JOBS, 'tokens', 'uris', 'documents', 'pictures', 'picture_contents', 'hashes', 'links'],
  ...['tracked', 'thumbnails', 'social_tokens', 'social_posts', 'social_mentions'],
  ...['social_authors', 'social_minutes', 'social_cursors', 'social_polls', RECEIVED],
] as const;

const SHARED: ReadonlySet<string> = new Set(SHARED_TABLES);

/** What kind of transaction a changeset is of. */
export type ChangesKind = 'changes' | 'posts';

/** Runs `work` within the open transaction. The changeset is empty if no shared row changed. */
export function captureChanges<Result>(
  database: DatabaseSync,
  work: () => Result,
): { readonly result: Result; readonly changes: Uint8Array } {
  const sessions = SHARED_TABLES.map((table) => database.createSession({ table }));
  try {
    const result = work();
    // Changesets of several tables are one when they follow each other.
    const changes = Buffer.concat(sessions.map((session) => session.changeset()));
    return { result, changes };
  } finally {
    for (const session of sessions) session.close();
  }
}

/** Why a changeset of the stream cannot be used by any store; null if it can be tried. */
export function changesFault(kind: ChangesKind, changes: Uint8Array): string | null {
  return changesetFault(changes, (table) =>
    kind === 'posts' ? table === RECEIVED : SHARED.has(table),
  );
}

/**
 * Applies a changeset without a fault within the open transaction, which must be rolled back when
 * this throws. Returns the number of rows that were not as the gatherer had them, jobs aside. Throws
 * ChangesError if it has rows that no store takes.
 */
export function applyChanges(
  database: DatabaseSync,
  changes: Uint8Array,
): { readonly conflicts: number } {
  let conflicts = 0;
  apply(database, changes, {
    filter: (table) => table !== JOBS,
    onConflict: (type) => {
      conflicts++;
      return resolutionOf(type);
    },
  });
  apply(database, changes, { filter: (table) => table === JOBS, onConflict: resolutionOf });
  return { conflicts };
}

/** A changeset that contradicts the rules of its tables. */
export class ChangesError extends Error {
  override readonly name = 'ChangesError';
}

/** The row becomes that of the gatherer. A row that is missing here stays so. */
function resolutionOf(type: number): number {
  if (type === constants.SQLITE_CHANGESET_NOTFOUND) return constants.SQLITE_CHANGESET_OMIT;
  const isReplaceable =
    type === constants.SQLITE_CHANGESET_DATA || type === constants.SQLITE_CHANGESET_CONFLICT;
  return isReplaceable ? constants.SQLITE_CHANGESET_REPLACE : constants.SQLITE_CHANGESET_ABORT;
}

function apply(
  database: DatabaseSync,
  changes: Uint8Array,
  options: NonNullable<Parameters<DatabaseSync['applyChangeset']>[1]>,
): void {
  try {
    if (!database.applyChangeset(changes, options)) throw new ChangesError(REFUSED);
  } catch (error) {
    if (error instanceof ChangesError || isTransientError(error)) throw error;
    // SQLite says the same of changes that are no changes, and of its file.
    const [first] = database.prepare('PRAGMA quick_check(1)').all();
    if (first?.quick_check !== 'ok') throw error;
    throw new ChangesError(REFUSED, { cause: error });
  }
}

const REFUSED = 'it has rows that no store takes';
