import { AVERAGED_FIGURES, type AveragedFigure } from '../../model/indicators.ts';
import { IS_VISIBLE } from '../sql/visible-epoch.ts';
import {
  averagedFigures,
  indicatorMinuteTable,
  momentColumns,
} from '../tables/indicator-tables.ts';

const COLUMNS = indicatorMinuteTable.columns.join(', ');
const OF_POOL = `${IS_VISIBLE} AND pool = {pool:String}`;
const UNMERGED_PARTS = 'SETTINGS do_not_merge_across_partitions_select_final = 1';

export const MINUTES_IN_RANGE = `
SELECT ${COLUMNS}
FROM indicator_minutes FINAL
WHERE ${OF_POOL} AND minute_ms >= {from:Int64} AND minute_ms < {to:Int64}
ORDER BY minute_ms
${UNMERGED_PARTS}`;

const NEWEST_FIRST = 'ORDER BY epoch DESC, pool DESC, minute_ms DESC, version DESC LIMIT 1';

/** The newest minute before a time, the newest of its unmerged versions first. */
export const LAST_MINUTE_BEFORE = `
SELECT ${COLUMNS} FROM indicator_minutes
WHERE ${OF_POOL} AND minute_ms < {before:Int64}
${NEWEST_FIRST}`;

export const LAST_MINUTE_AT_SLOT = `
SELECT ${COLUMNS} FROM indicator_minutes
WHERE ${OF_POOL} AND slot <= {slot:UInt64}
${NEWEST_FIRST}`;

const last = momentColumns.names.map(
  (column) => `argMaxIf(tuple(${column}), minute_ms, is_own).1 AS last_${column}`,
);

const averaged = Object.entries(averagedFigures).map(([figure, { name }]) => {
  const wide = `toDecimal128(${name}, ${AVERAGED_FIGURES[figure as AveragedFigure]})`;
  return (
    `toString(sum(${wide} * held)) AS ${figure}_sum, ` +
    `sumIf(held, ${name} IS NOT NULL) AS ${figure}_minutes`
  );
});

/**
 * Minutes grouped into buckets: the last minute of each and, per averaged figure, its time-weighted
 * sum and the minutes in it. The figures of a minute hold until the next minute; if that is in a
 * later bucket, they also hold at the beginning of that bucket.
 */
export const MINUTES_IN_BUCKETS = `
SELECT
  open_ms,
  ${last.join(',\n  ')},
  ${averaged.join(',\n  ')}
FROM (
  SELECT *, piece.1 AS open_ms, intDiv(piece.2, 60000) AS held, piece.3 AS is_own
  FROM (
    SELECT *,
      intDiv(minute_ms, {interval:Int64}) * {interval:Int64} AS own_ms,
      leadInFrame(minute_ms, 1, greatest({until:Int64}, minute_ms + 60000)) OVER (
        ORDER BY minute_ms ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) AS next_ms,
      intDiv(next_ms, {interval:Int64}) * {interval:Int64} AS later_ms
    FROM indicator_minutes FINAL
    WHERE ${OF_POOL} AND minute_ms >= {from:Int64} AND minute_ms < {to:Int64}
  )
  ARRAY JOIN if(own_ms = later_ms, [(own_ms, next_ms - minute_ms, true)], [
    (own_ms, own_ms + {interval:Int64} - minute_ms, true),
    (later_ms, next_ms - later_ms, false)]) AS piece
)
GROUP BY open_ms
HAVING countIf(is_own) > 0 AND open_ms >= {first:Int64}
ORDER BY open_ms
${UNMERGED_PARTS}`;
