import { QUOTE_MINTS } from '../../model/quote-mints.ts';
import type { TokenOrder } from '../../model/token-search.ts';
import { IS_VISIBLE } from '../sql/visible-epoch.ts';
import { newestIndicatorTable } from '../tables/indicator-tables.ts';

/** Uses `position`, which has no wildcards, so the search text is matched literally. */
const MATCHES = `(
  positionCaseInsensitiveUTF8(ifNull(name, ''), {search:String}) > 0
  OR positionCaseInsensitiveUTF8(ifNull(symbol, ''), {search:String}) > 0
  OR startsWith(mint, {search:String}))`;

const FINAL_PARTITIONS =
  'SETTINGS join_use_nulls = 1, do_not_merge_across_partitions_select_final = 1';

function foundTokens(isSearch: boolean): string {
  return `FROM tokens FINAL WHERE ${IS_VISIBLE}${isSearch ? ` AND ${MATCHES}` : ''}`;
}

export function countTokens(isSearch: boolean): string {
  return `SELECT count() AS total ${foundTokens(isSearch)}`;
}

/** Volume is unknown when less than 0.9 of the base volume has a known USD value. */
const dayOf = (scopes: string) => `
SELECT scope,
  if(sum(priced_base_volume_raw) * 10 >= sum(base_volume_raw) * 9, sum(volume_usd), NULL) AS volume,
  argMin(usd_open, open_time_ms) AS first_usd, argMax(usd_close, open_time_ms) AS last_usd
FROM candles FINAL
WHERE ${IS_VISIBLE} AND open_time_ms >= {since:Int64} AND open_time_ms < {now:Int64}
  ${scopes}
GROUP BY scope`;

const FIGURES = `
SELECT pool, total_wallets, organic_wallets, organic_volume_usd, smart_money_score, smart_holders,
  raw_holders
FROM newest_indicators FINAL WHERE ${IS_VISIBLE}`;

/** The sort expressions over a day; all other orders use a figure of the primary pool. */
const DAY_FIGURES: Partial<Record<TokenOrder, string>> = {
  volume_24h_usd: 'ifNull(volume, if(scope IS NULL, 0, NULL))',
  price_change_24h: 'toFloat64(last_usd) / nullIf(toFloat64(first_usd), 0)',
};

const QUOTES = QUOTE_MINTS.map((mint) => `'${mint}'`).join();

/** The sort expressions of figures that are not tracked for every token. */
const HOLDER_FIGURES: Partial<Record<TokenOrder, string>> = {
  smart_holders: `if(mint IN (${QUOTES}), NULL, smart_holders)`,
  raw_holders: `if(mint IN (${QUOTES}), NULL, raw_holders)`,
};

/** The mints of one page. Unknown figures come last; ties are ordered by address. */
export function pageOfMints(
  orderBy: TokenOrder,
  orderDir: 'asc' | 'desc',
  isSearch: boolean,
): string {
  const found = foundTokens(isSearch);
  const direction = orderDir === 'asc' ? 'ASC' : 'DESC';
  const end = `NULLS LAST, mint LIMIT {limit:UInt64} OFFSET {offset:UInt64} ${FINAL_PARTITIONS}`;
  if (orderBy === 'newest')
    return `SELECT mint ${found} ORDER BY created_at_ms ${direction} ${end}`;
  const ofDay = DAY_FIGURES[orderBy];
  // Only a search leaves few enough mints to filter by them.
  const scopes = isSearch ? `AND scope IN (SELECT mint ${found})` : '';
  const joined =
    ofDay === undefined
      ? `(${FIGURES}) AS figures ON pool = primary_pool`
      : `(${dayOf(scopes)}) AS day ON scope = mint`;
  return (
    `SELECT mint FROM (SELECT mint, primary_pool ${found}) AS found LEFT JOIN ${joined} ` +
    `ORDER BY ${ofDay ?? HOLDER_FIGURES[orderBy] ?? orderBy} ${direction} ${end}`
  );
}

/** A parameter with comma-separated addresses, as a subquery. */
function listOf(parameter: string): string {
  return `(SELECT arrayJoin(splitByChar(',', {${parameter}:String})))`;
}

const NAMED_MINTS = listOf('mints');

export const RECORDS_OF_MINTS = `
SELECT record FROM tokens FINAL WHERE ${IS_VISIBLE} AND mint IN ${NAMED_MINTS}`;

export const DAY_OF_MINTS = `${dayOf(`AND scope IN ${NAMED_MINTS}`)} ${FINAL_PARTITIONS}`;

export const NEWEST_OF_POOLS = `
SELECT ${newestIndicatorTable.columns.join(', ')} FROM newest_indicators FINAL
WHERE ${IS_VISIBLE} AND pool IN ${listOf('pools')}`;
