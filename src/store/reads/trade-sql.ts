import type { TradeFilter, TradePosition, TradeView } from '../../model/trade.ts';
import type { QueryParams } from '../sql/sql-session.ts';
import { IS_VISIBLE } from '../sql/visible-epoch.ts';
import { tradeColumns, walletTradeColumns } from '../tables/swap-tables.ts';

/** Swaps of a wallet, a pool or a token. */
export interface SwapRange extends TradeFilter {
  /** Only swaps of slots before this one; null for all. */
  readonly beforeSlot: number | null;
  /** `user` leaves out intermediate hops, quarantined swaps and those without a trader. */
  readonly view: TradeView;
}

/** A query and its parameters. */
export interface RangeSql {
  readonly sql: string;
  readonly params: QueryParams;
}

const PLACE = ['time_ms', 'slot', 'tx_index', 'outer_ix', 'inner_ix'];

/**
 * The newest rows, read from the end of the key's range without FINAL: the conditions only read
 * columns that all versions of a row agree on, so one version of each row is enough. All of them are
 * returned, the newest first: removing them in the engine takes a quarter of the query's time.
 * The sort key of `swaps` ends before the pool, which is one anyway.
 *
 * By default the engine reads the whole range of the key into buffers before the first row: 10,174
 * rows for a page of a token with so many. With these settings it read 2,677 from four parts.
 */
export function newestSwaps(
  range: SwapRange,
  before: TradePosition | null,
  limit: number,
): RangeSql {
  const { table, scope, columns, rest } = tableOf(range);
  const key = [scope.column, ...PLACE, ...(table === 'swaps' ? [] : ['pool'])];
  const conditions = [
    `${IS_VISIBLE} AND ${scope.column} = {scope:String}`,
    ...rest,
    ...conditionsOf(range, table),
    ...beforeConditions(before, table),
  ];
  return {
    sql: `SELECT ${columns} FROM ${table}
WHERE ${conditions.join('\n  AND ')}
ORDER BY epoch DESC, ${key.map((column) => `${column} DESC`).join(', ')}, version DESC
LIMIT {limit:UInt32}
SETTINGS max_block_size = 512, read_in_order_use_buffering = 0`,
    params: { scope: scope.address, limit, ...paramsOf(range), ...beforeParams(before) },
  };
}

function tableOf({ wallet, pool, mint }: SwapRange) {
  if (wallet !== null) {
    return {
      table: 'swaps_by_wallet',
      scope: { column: 'wallet', address: wallet },
      columns: walletTradeColumns.names.join(', '),
      rest: [
        ...(pool === null ? [] : ['pool = {pool:String}']),
        ...(mint === null ? [] : ['base_mint = {mint:String}']),
      ],
    } as const;
  }
  const columns = tradeColumns.names.join(', ');
  if (pool !== null) {
    const scope = { column: 'pool', address: pool };
    const rest = mint === null ? [] : ['base_mint = {mint:String}'];
    return { table: 'swaps', scope, columns, rest } as const;
  }
  if (mint === null) throw new TypeError('trades are those of a wallet, a pool or a token');
  const scope = { column: 'base_mint', address: mint };
  return { table: 'swaps_by_token', scope, columns, rest: [] } as const;
}

function conditionsOf(range: SwapRange, table: string): string[] {
  const conditions: string[] = [];
  if (range.fromMs !== null) conditions.push('time_ms >= {from:Int64}');
  if (range.toMs !== null) conditions.push('time_ms < {to:Int64}');
  if (range.beforeSlot !== null) conditions.push('slot < {beforeSlot:UInt64}');
  if (range.side !== null) conditions.push('side = {side:String}');
  if (range.valueUsdMin !== null) conditions.push('value_usd >= {valueMin:Int128}');
  if (range.class === 'organic') conditions.push('is_organic');
  if (range.class === 'bot') conditions.push("wallet_class = 'bot'");
  if (range.view === 'user') {
    conditions.push("NOT is_hop AND ifNull(exclusion, '') != 'quarantined'");
    if (table !== 'swaps_by_wallet') conditions.push("trader != ''");
  }
  return conditions;
}

function paramsOf(range: SwapRange): QueryParams {
  return {
    ...(range.wallet === null ? {} : { pool: range.pool ?? '' }),
    mint: range.mint ?? '',
    from: range.fromMs ?? 0,
    to: range.toMs ?? 0,
    beforeSlot: range.beforeSlot ?? 0,
    side: range.side ?? '',
    valueMin: range.valueUsdMin ?? 0n,
  };
}

/** The time alone selects granules; the whole position selects rows. */
function beforeConditions(before: TradePosition | null, table: string): string[] {
  if (before === null) return [];
  const place = '{time:Int64}, {slot:UInt64}, {tx:UInt32}, {outer:UInt16}, {inner:Int16}';
  const columns = PLACE.join(', ');
  const isOlder =
    table === 'swaps'
      ? `(${columns}) < (${place})`
      : `(${columns}, pool) < (${place}, {beforePool:String})`;
  return ['time_ms <= {time:Int64}', isOlder];
}

function beforeParams(before: TradePosition | null): QueryParams {
  if (before === null) return {};
  const { timeMs: time, slot, txIndex: tx, outerIx: outer, innerIx: inner, pool } = before;
  return { time, slot, tx, outer, inner, beforePool: pool };
}
