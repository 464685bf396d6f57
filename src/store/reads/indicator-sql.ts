import { AVERAGED_FIGURES, type AveragedFigure } from '../../model/indicators.ts';

/** A row of indicator_minutes. Ratios, scores and seconds are exact decimals and fit a number. */
export interface IndicatorRow {
  readonly pool: string;
  readonly minute_ms: string;
  readonly slot: string;
  readonly base_mint: string;
  readonly created_at_ms: string | null;
  readonly total_wallets: number;
  readonly organic_wallets: number;
  readonly organic_profitable_wallets: number | null;
  readonly organic_to_total_wallets_ratio: number;
  readonly bot_to_total_wallets_ratio: number;
  readonly profitable_organic_to_total_organic_ratio: number | null;
  readonly total_volume_usd: string | null;
  readonly organic_volume_usd: string | null;
  readonly bot_volume_ratio: number | null;
  readonly organic_volume_ratio: number | null;
  readonly organic_mean_hold_seconds: number | null;
  readonly organic_mean_trade_frequency_seconds: number | null;
  readonly price_usd: string | null;
  readonly smart_money_score: number;
  readonly raw_smart_money_score: number;
  readonly smart_money_influx_10min: string | null;
  readonly smart_money_outflux_10min: string | null;
  readonly raw_smart_money_influx: string | null;
  readonly raw_smart_money_outflux: string | null;
  readonly smart_holders: number;
  readonly raw_holders: number;
  readonly smart_to_raw_holders_ratio: number;
  readonly profitable_volume: string | null;
  readonly profitable_volume_total_volume_ratio: number | null;
}

/** The columns that a bucket takes from its last minute. */
const LAST_COLUMNS = [
  'slot',
  'base_mint',
  'created_at_ms',
  'total_wallets',
  'organic_wallets',
  'organic_profitable_wallets',
  'total_volume_usd',
  'organic_volume_usd',
  'price_usd',
  'smart_money_influx_10min',
  'smart_money_outflux_10min',
  'raw_smart_money_influx',
  'raw_smart_money_outflux',
  'smart_holders',
  'raw_holders',
  'profitable_volume',
] as const satisfies readonly (keyof IndicatorRow)[];

type LastColumn = (typeof LAST_COLUMNS)[number];

/** The last minute of a bucket and, per averaged figure, its time-weighted sum and minutes. */
export type IndicatorBucketRow = {
  readonly [Column in LastColumn as `last_${Column}`]: IndicatorRow[Column];
} & {
  readonly open_ms: string;
} & Readonly<Record<`${AveragedFigure}_sum`, string | null>> &
  Readonly<Record<`${AveragedFigure}_minutes`, string>>;

/** The columns of a bucket's last minute, under their names in a minute. */
export function lastColumns(row: IndicatorBucketRow): Pick<IndicatorRow, LastColumn> {
  const entries = LAST_COLUMNS.map((column) => [column, row[`last_${column}`]] as const);
  return Object.fromEntries(entries) as unknown as Pick<IndicatorRow, LastColumn>;
}

const COLUMNS = '* EXCEPT (epoch, version)';
const OF_POOL = 'epoch = {epoch:UInt32} AND pool = {pool:String}';
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

/** The column of a figure, such as smart_to_raw_holders_ratio for smartToRawHoldersRatio. */
function columnOf(figure: AveragedFigure): string {
  return figure.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

const last = LAST_COLUMNS.map(
  (column) => `argMaxIf(tuple(${column}), minute_ms, is_own).1 AS last_${column}`,
);

const averaged = (Object.keys(AVERAGED_FIGURES) as AveragedFigure[]).map((figure) => {
  const column = columnOf(figure);
  const wide = `toDecimal128(${column}, ${AVERAGED_FIGURES[figure]})`;
  return (
    `toString(sum(${wide} * held)) AS ${figure}_sum, ` +
    `sumIf(held, ${column} IS NOT NULL) AS ${figure}_minutes`
  );
});

/**
 * Minutes grouped into buckets. The figures of a minute hold until the next minute; if that is in a
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
