import type { Lane } from '../lane.ts';
import {
  isShortOfMeans,
  isTransientSqlError,
  MEMORY_LIMIT_EXCEEDED,
  SqlError,
  TIMEOUT_EXCEEDED,
} from '../sql-session.ts';
import { LOG_TABLE } from './compare-parts.ts';

/** A run of slots this short that cannot be read is left out: it is within one compressed block. */
const LEFT_OUT_SLOTS = 64;

interface Run {
  readonly from: number;
  readonly to: number;
}

/**
 * Writes what can still be read of a damaged part of the log into new parts. Repeating it changes
 * nothing: rows of one slot replace each other.
 */
export async function salvageLog(lane: Lane, part: string): Promise<void> {
  const [range] = await readable(lane, part, 'min(slot) AS from, max(slot) AS to', null);
  if (range === undefined) return;
  const whole = { from: Number(range.from), to: Number(range.to) };
  for await (const { from, to } of readableRuns(lane, part, whole)) {
    await lane.command(
      `INSERT INTO ${LOG_TABLE} SELECT * FROM ${LOG_TABLE} WHERE _part = {part:String} ` +
        'AND slot >= {from:UInt64} AND slot <= {to:UInt64}',
      { part, from, to },
    );
  }
}

/** Runs of slots whose rows can be read, halved until those that cannot are short. */
async function* readableRuns(lane: Lane, part: string, run: Run): AsyncIterable<Run> {
  const rows = await readable(lane, part, 'sum(sipHash64(*)) AS from, count() AS to', run);
  if (rows.length > 0) {
    yield run;
    return;
  }
  const { from, to } = run;
  if (to - from < LEFT_OUT_SLOTS) return;
  const middle = Math.floor((from + to) / 2);
  yield* readableRuns(lane, part, { from, to: middle });
  yield* readableRuns(lane, part, { from: middle + 1, to });
}

/** Nothing where the rows cannot be read. Throws StoreError for what is not the part's fault. */
async function readable(
  lane: Lane,
  part: string,
  columns: string,
  run: Run | null,
): Promise<{ readonly from: string; readonly to: string }[]> {
  const range = run === null ? '' : ' AND slot >= {from:UInt64} AND slot <= {to:UInt64}';
  try {
    return await lane.rows(
      `SELECT ${columns} FROM ${LOG_TABLE} WHERE _part = {part:String}${range}`,
      { part, ...run },
    );
  } catch (error) {
    if (error instanceof Error && error.cause instanceof SqlError && isOfPart(error.cause))
      return [];
    throw error;
  }
}

/** Fewer rows may be read where so many take too much. */
function isOfPart(error: SqlError): boolean {
  const { code } = error;
  if (code === MEMORY_LIMIT_EXCEEDED || code === TIMEOUT_EXCEEDED) return true;
  const isUnreached = code === null && isTransientSqlError(error);
  return !isUnreached && !isShortOfMeans(error);
}
