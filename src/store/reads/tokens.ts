import { divide } from '../../lib/decimal.ts';
import type { TokenRecord } from '../../model/derived.ts';
import type { IndicatorRecord } from '../../model/indicators.ts';
import type { TokenListing, TokenPage, TokenQuery } from '../../model/token-search.ts';
import type { Address, UsdNano } from '../../model/units.ts';
import { decodeTokenRecord } from '../codecs/record-codec.ts';
import type { Lane } from '../sql/lane.ts';
import type { VisibleRows } from '../sql/visible-epoch.ts';
import type { IndicatorRow } from './indicator-sql.ts';
import { toMinute } from './indicators.ts';
import {
  countTokens,
  DAY_OF_MINTS,
  type DayRow,
  type FoundMint,
  NEWEST_OF_POOLS,
  pageOfMints,
  RECORDS_OF_MINTS,
} from './token-sql.ts';

const DAY_MS = 86_400_000;
/** Price changes have four decimals. */
const CHANGE_SCALE = 10_000n;

/** Stored tokens by search, age, volume and figures. */
export class StoredTokens {
  private readonly lane: Lane;
  private readonly visible: VisibleRows;

  constructor(lane: Lane, visible: VisibleRows) {
    this.lane = lane;
    this.visible = visible;
  }

  /** One page and the total number of tokens; a page past the end has no items. */
  async page(query: TokenQuery): Promise<TokenPage> {
    const { search, orderBy, orderDir, offset, limit, nowMs } = query;
    const { epoch, slot } = this.visible;
    const isSearch = search !== null;
    const params = { epoch, ...(isSearch && { search }) };
    const span = { since: nowMs - DAY_MS, now: nowMs };
    const [[counted], mints] = await Promise.all([
      this.lane.rows<{ total: string }>(countTokens(isSearch), params),
      this.lane.rows<FoundMint>(pageOfMints(orderBy, orderDir, isSearch), {
        ...params,
        ...(orderBy === 'newest' ? {} : span),
        limit,
        offset,
      }),
    ]);
    const items = await this.listings(
      mints.map(({ mint }) => mint as Address),
      { epoch, ...span },
    );
    return { items, total: Number(counted?.total ?? 0), slot };
  }

  private async listings(
    mints: readonly Address[],
    { epoch, since, now }: { readonly epoch: number; readonly since: number; readonly now: number },
  ): Promise<TokenListing[]> {
    if (mints.length === 0) return [];
    const named = { epoch, mints: mints.join() };
    const [records, days] = await Promise.all([
      this.lane.rows<{ record: string }>(RECORDS_OF_MINTS, named),
      this.lane.rows<DayRow>(DAY_OF_MINTS, { ...named, since, now }),
    ]);
    const tokens = new Map<Address, TokenRecord>();
    for (const { record } of records) {
      const token = decodeTokenRecord(record);
      tokens.set(token.mint, token);
    }
    const dayOf = new Map(days.map((day) => [day.scope, day]));
    const figures = await this.figures(epoch, [...tokens.values()]);
    return mints.flatMap((mint) => {
      const token = tokens.get(mint);
      return token === undefined ? [] : [listingOf(token, dayOf.get(mint), figures)];
    });
  }

  private async figures(
    epoch: number,
    tokens: readonly TokenRecord[],
  ): Promise<ReadonlyMap<Address, IndicatorRecord>> {
    const pools = tokens.flatMap(({ primaryPool }) => primaryPool ?? []);
    if (pools.length === 0) return new Map();
    const params = { epoch, pools: pools.join() };
    const rows = await this.lane.rows<IndicatorRow>(NEWEST_OF_POOLS, params);
    return new Map(rows.map((row) => [row.pool as Address, toMinute(row).record]));
  }
}

function listingOf(
  token: TokenRecord,
  day: DayRow | undefined,
  figures: ReadonlyMap<Address, IndicatorRecord>,
): TokenListing {
  const { primaryPool } = token;
  return {
    token,
    volume24hUsd: day === undefined ? (0n as UsdNano) : volumeOf(day),
    priceChange24h: day === undefined ? null : changeOf(day),
    indicators: primaryPool === null ? null : (figures.get(primaryPool) ?? null),
  };
}

function volumeOf({ volume }: DayRow): UsdNano | null {
  return volume === null ? null : (BigInt(volume) as UsdNano);
}

function changeOf({ first_usd, last_usd }: DayRow): number | null {
  if (first_usd === null || last_usd === null || first_usd === '0') return null;
  const first = BigInt(first_usd);
  const change = (BigInt(last_usd) - first) * CHANGE_SCALE;
  return Number(divide(change, first, 'half-up')) / Number(CHANGE_SCALE);
}
