import { integer, nullable, oneOf, text } from '../sqlite/kind.ts';
import { type RowOf, rowsOf, tableRow } from '../sqlite/table-row.ts';

/** A `pending` job may be taken now, a `waiting` one when it is due; a `dead` one has failed. */
const jobState = oneOf(['pending', 'waiting', 'running', 'done', 'dead']);

/** Times are wall-clock times. */
export const JOBS = tableRow('jobs', {
  kind: text,
  key: text,
  url: text,
  state: jobState,
  rank: integer,
  /** When it last became pending, or its last attempt ended. */
  sinceMs: integer,
  /** When a waiting job is retried, a done one repeated, a running lease ends; null: never. */
  dueMs: nullable(integer),
  attempts: integer,
  reads: integer,
  fault: nullable(text),
});

export type JobRow = RowOf<typeof JOBS>;
export type JobState = JobRow['state'];

/** The statements on the table `jobs`. */
export const JOB_STATEMENTS = {
  sizes: rowsOf(
    { kind: text, state: jobState, size: integer },
    'SELECT kind, state, count(*) FROM jobs GROUP BY kind, state',
  ),
  find: JOBS.select('WHERE kind = ? AND key = ?'),
  insert: JOBS.insert(),
  update: JOBS.without('kind', 'key', 'url', 'rank').update('WHERE kind = ? AND key = ?'),
  raise: 'UPDATE jobs SET rank = ? WHERE kind = ? AND key = ?',
  newest: JOBS.select("WHERE kind = ? AND state = 'pending' ORDER BY rank DESC LIMIT ?"),
  oldest: JOBS.select("WHERE kind = ? AND state = 'pending' ORDER BY since_ms LIMIT ?"),
  due: JOBS.select('WHERE due_ms <= ? ORDER BY due_ms LIMIT ?'),
  dead: JOBS.select("WHERE state = 'dead' ORDER BY rank DESC LIMIT ?"),
  giveBack:
    "UPDATE jobs SET state = 'pending', since_ms = ?, due_ms = NULL, attempts = attempts + 1 " +
    "WHERE state = 'running'",
  lowestUnfinished: JOBS.select("WHERE state IN ('pending', 'waiting') ORDER BY rank LIMIT ?"),
  lowestSettled: JOBS.select("WHERE state IN ('done', 'dead') ORDER BY rank LIMIT ?"),
  remove: 'DELETE FROM jobs WHERE kind = ? AND key = ?',
};
