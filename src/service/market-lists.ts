import type { MarketTable } from '../market/market-table.ts';
import type { IndicatorRecord } from '../model/indicators.ts';
import { circulatingValue } from '../model/market-cap.ts';
import type {
  PoolDetail,
  PoolListing,
  PoolListPage,
  PoolListQuery,
  TokenListing,
  TokenListPage,
  TokenListQuery,
} from '../model/market-listing.ts';
import type { PoolRecord } from '../model/pool-record.ts';
import type { TokenRecord } from '../model/token-record.ts';
import type { Address } from '../model/units.ts';
import { widerFiguresOf } from './alerts/wider-figures.ts';

/** The records of listed pools and tokens, as of the same slot as the table. */
export interface ListedRecords {
  readonly timeMs: number;
  token(mint: Address): TokenRecord | null;
  pool(pool: Address): PoolRecord | null;
}

/** Records that one pool is shown with. */
export interface DetailRecords extends ListedRecords {
  indicators(pool: Address): IndicatorRecord | null;
}

/** A page of tokens: ranked by the table, with the exact amounts of their records. */
export function listTokens(
  table: MarketTable,
  records: ListedRecords,
  query: TokenListQuery,
): TokenListPage {
  const { tokens } = table;
  const { rows, total, next } = tokens.select(query, records.timeMs);
  const items = rows.flatMap((row) => {
    const token = records.token(tokens.columns.addressOf(row));
    return token === null ? [] : tokenListing(table, records, token);
  });
  return { items, total, next, isComplete: true };
}

/** A page of pools. */
export function listPools(
  table: MarketTable,
  records: ListedRecords,
  query: PoolListQuery,
): PoolListPage {
  const { columns } = table.pools;
  const { rows, total, next } = table.pools.select(query);
  const items = rows.flatMap((row) => {
    return poolListing(table, records, columns.addressOf(row)) ?? [];
  });
  return { items, total, next, isComplete: true };
}

/** A pool with its windows, which are null without a table; null for an unknown pool. */
export function poolListing(
  table: MarketTable | null,
  records: ListedRecords,
  address: Address,
): PoolListing | null {
  const pool = records.pool(address);
  if (pool === null) return null;
  const token = records.token(pool.baseMint);
  return {
    pool,
    windows: table?.windowsOf(address) ?? null,
    marketCapUsd: token === null ? null : circulatingValue(token, pool.priceUsd),
    isPrimary: token?.primaryPool === address,
  };
}

/** A listed pool with the figures that triggers compare. */
export function poolDetail(
  table: MarketTable | null,
  records: DetailRecords,
  address: Address,
): PoolDetail | null {
  const listing = poolListing(table, records, address);
  if (listing === null) return null;
  return { ...listing, wider: widerFiguresOf(records, table, listing.pool) };
}

function tokenListing(
  table: MarketTable,
  records: ListedRecords,
  token: TokenRecord,
): TokenListing {
  const { mint, primaryPool } = token;
  const windows = table.windowsOf(mint);
  const { venue, launchpad } = table.tokens.poolsOf(mint);
  return {
    token,
    indicators: primaryPool === null ? null : table.indicatorsOf(primaryPool),
    windows,
    volume24hUsd: windows['24h'].volumeUsd,
    priceChange24h: windows['24h'].priceChange,
    marketCapUsd: circulatingValue(token, token.priceUsd),
    liquidityUsd: primaryPool === null ? null : (records.pool(primaryPool)?.liquidityUsd ?? null),
    venue,
    launchpad,
    riskScore: table.riskOf(mint),
    trending: table.tokens.trendingOf(mint, records.timeMs),
  };
}
