import type { HolderBalance } from '../../model/derived.ts';
import type { HolderPage, HolderPageQuery } from '../../model/holder-page.ts';
import type { IndicatorRecord } from '../../model/indicators.ts';
import type { PoolRecord } from '../../model/pool-record.ts';
import type { TokenRecord } from '../../model/token-record.ts';
import type { Address } from '../../model/units.ts';

/** A read of a state as of a slot. Can be passed between threads. */
export type PastQuery =
  | { readonly kind: 'token'; readonly mint: Address; readonly holdersMax: number }
  | { readonly kind: 'holders'; readonly page: HolderPageQuery }
  | { readonly kind: 'indicators'; readonly pool: Address };

/** The answer to each kind of read; null where the state has no such token or pool. */
export interface PastAnswers {
  /** The token with its largest owners, largest first, at most `holdersMax`. */
  readonly token: {
    readonly token: TokenRecord;
    readonly holders: readonly HolderBalance[];
  } | null;
  readonly holders: { readonly token: TokenRecord; readonly page: HolderPage } | null;
  readonly indicators: {
    readonly pool: PoolRecord;
    readonly indicators: IndicatorRecord;
  } | null;
}

export type PastKind = keyof PastAnswers;
export type QueryOf<Kind extends PastKind> = Extract<PastQuery, { readonly kind: Kind }>;

/** The part of the engine that reads of a state use. */
export interface ReadEngine {
  token(mint: Address): TokenRecord | null;
  pool(pool: Address): PoolRecord | null;
  topHolders(mint: Address, limit: number): readonly HolderBalance[];
  indicators(pool: Address): IndicatorRecord | null;
  holderPage(query: HolderPageQuery): HolderPage;
}

/** Answers a read from the state of an engine. */
export function answerPast<Kind extends PastKind>(
  engine: ReadEngine,
  query: QueryOf<Kind>,
): PastAnswers[Kind];
export function answerPast(engine: ReadEngine, query: PastQuery): PastAnswers[PastKind] {
  if (query.kind === 'indicators') {
    const pool = engine.pool(query.pool);
    const indicators = engine.indicators(query.pool);
    return pool === null || indicators === null ? null : { pool, indicators };
  }
  if (query.kind === 'holders') {
    const token = engine.token(query.page.mint);
    return token === null ? null : { token, page: engine.holderPage(query.page) };
  }
  const token = engine.token(query.mint);
  return token === null
    ? null
    : { token, holders: engine.topHolders(query.mint, query.holdersMax) };
}
