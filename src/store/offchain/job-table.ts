import type { DatabaseSync } from 'node:sqlite';

/** A `pending` job may be taken now, a `waiting` one when it is due; a `dead` one has failed. */
export type JobState = 'pending' | 'waiting' | 'running' | 'done' | 'dead';

/** A row of the table `jobs`; times are wall-clock times. */
export interface JobRow {
  readonly kind: string;
  readonly key: string;
  readonly url: string;
  readonly state: JobState;
  readonly rank: number;
  /** When it last became pending, or its last attempt ended. */
  readonly since_ms: number;
  /** When a waiting job is retried, a done one repeated, a running lease ends; null: never. */
  readonly due_ms: number | null;
  readonly attempts: number;
  readonly reads: number;
  readonly fault: string | null;
}

/** The statements on the table `jobs`. Throws SQLite's error when the table does not exist. */
export function prepareJobStatements(database: DatabaseSync) {
  return {
    sizes: database.prepare('SELECT kind, state, count(*) AS size FROM jobs GROUP BY kind, state'),
    find: database.prepare('SELECT * FROM jobs WHERE kind = ? AND key = ?'),
    insert: database.prepare(
      'INSERT INTO jobs (kind, key, url, state, rank, since_ms, attempts, reads) ' +
        "VALUES (?, ?, ?, 'pending', ?, ?, 0, 0)",
    ),
    update: database.prepare(
      'UPDATE jobs SET state = ?, since_ms = ?, due_ms = ?, attempts = ?, reads = ?, fault = ? ' +
        'WHERE kind = ? AND key = ?',
    ),
    raise: database.prepare('UPDATE jobs SET rank = ? WHERE kind = ? AND key = ?'),
    newest: database.prepare(
      "SELECT * FROM jobs WHERE kind = ? AND state = 'pending' ORDER BY rank DESC LIMIT ?",
    ),
    oldest: database.prepare(
      "SELECT * FROM jobs WHERE kind = ? AND state = 'pending' ORDER BY since_ms LIMIT ?",
    ),
    due: database.prepare('SELECT * FROM jobs WHERE due_ms <= ? ORDER BY due_ms LIMIT ?'),
    dead: database.prepare("SELECT * FROM jobs WHERE state = 'dead' ORDER BY rank DESC LIMIT ?"),
    giveBack: database.prepare(
      "UPDATE jobs SET state = 'pending', since_ms = ?, due_ms = NULL, attempts = attempts + 1 " +
        "WHERE state = 'running'",
    ),
    lowestUnfinished: database.prepare(
      "SELECT * FROM jobs WHERE state IN ('pending', 'waiting') ORDER BY rank LIMIT ?",
    ),
    lowestSettled: database.prepare(
      "SELECT * FROM jobs WHERE state IN ('done', 'dead') ORDER BY rank LIMIT ?",
    ),
    remove: database.prepare('DELETE FROM jobs WHERE kind = ? AND key = ?'),
  };
}
