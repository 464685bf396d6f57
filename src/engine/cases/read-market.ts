import type { PoolState } from '../../fold/market/pool-state.ts';
import type { CaseMarket } from '../../model/mint-case.ts';
import { WRAPPED_SOL } from '../../model/program.ts';
import { effectiveReserves, withdrawableQuote } from '../../model/reserves.ts';
import {
  type Address,
  asLamports,
  asRawAmount,
  PRICE_SCALE,
  type RawAmount,
} from '../../model/units.ts';
import { isRangeVenue } from '../../model/venue-kinds.ts';
import { quotePricesNow, quoteToLamports } from '../books/quote-prices.ts';
import type { CaseSources } from './case-sources.ts';

/**
 * The open pool with the most takeable quote, by address among equals; null without an open pool.
 */
export function readMarket(sources: CaseSources, mint: Address): CaseMarket | null {
  let deepest: CaseMarket | null = null;
  for (const pool of sources.books.pools.ofMint(mint)) {
    const market = marketOf(sources, pool);
    if (market !== null && (deepest === null || isDeeper(market, deepest))) deepest = market;
  }
  return deepest;
}

function isDeeper(one: CaseMarket, other: CaseMarket): boolean {
  if (one.withdrawableLamports !== other.withdrawableLamports) {
    return one.withdrawableLamports > other.withdrawableLamports;
  }
  return one.pool < other.pool;
}

function marketOf({ books, cases, timeMs }: CaseSources, pool: PoolState): CaseMarket | null {
  const { reserves } = pool;
  if (reserves === null || pool.migratedTo !== null) return null;
  const quotes = quotePricesNow(books, timeMs);
  const sides = effectiveReserves(reserves);
  const toLamports = (raw: bigint) =>
    quoteToLamports(quotes, pool.quoteMint, raw, pool.quoteDecimals) ?? asLamports(0n);
  const usdPerSol = books.solPrices.usdPerQuote(WRAPPED_SOL);
  return {
    pool: pool.pool,
    baseRaw: baseBehindPrice(pool, sides.base),
    quoteLamports: toLamports(sides.quote),
    withdrawableLamports: toLamports(withdrawableQuote(reserves)),
    feeBps: cases.fees.of(pool.pool),
    solUsd: usdPerSol === null ? null : Number(usdPerSol) / 10 ** PRICE_SCALE,
  };
}

/**
 * The base reserve that a sale is priced against. For venues with liquidity ranges the depth near
 * the price is unknown; it is taken as if all quote formed a constant product at that price, of
 * which a fall by half takes out 29 % (METHODS §7.2 requires what lies within that fall).
 */
function baseBehindPrice(pool: PoolState, heldRaw: RawAmount): RawAmount {
  const { venue, price, reserves, baseDecimals, quoteDecimals } = pool;
  if (!isRangeVenue(venue) || price === null || price <= 0n || reserves === null) return heldRaw;
  const scale = 10n ** BigInt(PRICE_SCALE + baseDecimals);
  return asRawAmount((reserves.quote * scale) / (price * 10n ** BigInt(quoteDecimals)));
}
