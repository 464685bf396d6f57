import { divide } from '../../lib/decimal.ts';
import type { IndicatorRecord } from '../../model/indicators.ts';
import type { TokenRecord } from '../../model/token-record.ts';
import type { TokenListing, TokenPage, TokenQuery } from '../../model/token-search.ts';
import { type Address, asUsdNano } from '../../model/units.ts';
import { int128, numeric, orNull, price, text } from '../sql/columns.ts';
import { EpochReads } from '../sql/epoch-reads.ts';
import type { Lane } from '../sql/lane.ts';
import { columnsOfRecord } from '../sql/table.ts';
import type { RowLayers, VisibleRows } from '../sql/visible-epoch.ts';
import { newestIndicatorTable } from '../tables/indicator-tables.ts';
import { tokenTable } from '../tables/state-tables.ts';
import {
  countTokens,
  DAY_OF_MINTS,
  NEWEST_OF_POOLS,
  pageOfMints,
  RECORDS_OF_MINTS,
} from './token-sql.ts';

const DAY_MS = 86_400_000;
/** Price changes have four decimals. */
const CHANGE_SCALE = 10_000n;

const toTotal = numeric('total').reader();
const toMint = text<Address>('mint').reader();

/** The trades of a token in a day. */
const toDay = columnsOfRecord({
  scope: text<Address>('scope'),
  volumeUsd: orNull(int128('volume', asUsdNano)),
  firstUsd: orNull(price('first_usd')),
  lastUsd: orNull(price('last_usd')),
}).reader();

type Day = ReturnType<typeof toDay>;

/** Stored tokens by search, age, volume and figures. */
export class StoredTokens {
  private readonly reads: EpochReads<VisibleRows>;

  constructor(lane: Lane, visible: VisibleRows) {
    this.reads = new EpochReads(lane, visible);
  }

  /** One page and the total number of tokens; a page past the end has no items. */
  async page(query: TokenQuery): Promise<TokenPage> {
    const { search, orderBy, orderDir, offset, limit, nowMs } = query;
    const { slot } = this.reads.visible;
    const { layers } = this.reads;
    const isSearch = search !== null;
    const params = isSearch ? { search } : {};
    const span = { since: nowMs - DAY_MS, now: nowMs };
    const [total, mints] = await Promise.all([
      this.reads.first(countTokens(isSearch), toTotal, params, layers),
      this.reads.all(
        pageOfMints(orderBy, orderDir, isSearch),
        toMint,
        { ...params, ...(orderBy === 'newest' ? {} : span), limit, offset },
        layers,
      ),
    ]);
    const items = await this.listings(mints, span, layers);
    return { items, total: total ?? 0, slot };
  }

  private async listings(
    mints: readonly Address[],
    { since, now }: { readonly since: number; readonly now: number },
    layers: RowLayers,
  ): Promise<TokenListing[]> {
    if (mints.length === 0) return [];
    const named = { mints: mints.join() };
    const [records, days] = await Promise.all([
      this.reads.all(RECORDS_OF_MINTS, tokenTable.read, named, layers),
      this.reads.all(DAY_OF_MINTS, toDay, { ...named, since, now }, layers),
    ]);
    const tokens = new Map(records.map((token) => [token.mint, token]));
    const dayOf = new Map(days.map((day) => [day.scope, day]));
    const figures = await this.figures(records, layers);
    return mints.flatMap((mint) => {
      const token = tokens.get(mint);
      return token === undefined ? [] : [listingOf(token, dayOf.get(mint), figures)];
    });
  }

  private async figures(
    tokens: readonly TokenRecord[],
    layers: RowLayers,
  ): Promise<ReadonlyMap<Address, IndicatorRecord>> {
    const pools = tokens.flatMap(({ primaryPool }) => primaryPool ?? []);
    if (pools.length === 0) return new Map();
    const minutes = await this.reads.all(
      NEWEST_OF_POOLS,
      newestIndicatorTable.read,
      { pools: pools.join() },
      layers,
    );
    return new Map(minutes.map(({ record }) => [record.pool, record]));
  }
}

function listingOf(
  token: TokenRecord,
  day: Day | undefined,
  figures: ReadonlyMap<Address, IndicatorRecord>,
): TokenListing {
  const { primaryPool } = token;
  return {
    token,
    volume24hUsd: day === undefined ? asUsdNano(0n) : day.volumeUsd,
    priceChange24h: day === undefined ? null : changeOf(day),
    indicators: primaryPool === null ? null : (figures.get(primaryPool) ?? null),
  };
}

function changeOf({ firstUsd, lastUsd }: Day): number | null {
  if (firstUsd === null || lastUsd === null || firstUsd === 0n) return null;
  const change = (lastUsd - firstUsd) * CHANGE_SCALE;
  return Number(divide(change, firstUsd, 'half-up')) / Number(CHANGE_SCALE);
}
