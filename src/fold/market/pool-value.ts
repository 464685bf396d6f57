import type { LockedLiquidity, PoolRecord } from '../../model/pool-record.ts';
import { liquidReserves } from '../../model/reserves.ts';
import { asUsdNano, type PriceE18, type UsdNano } from '../../model/units.ts';
import { isCurveVenue } from '../../model/venue-kinds.ts';
import type { PoolState } from './pool-state.ts';
import { usdOf } from './usd.ts';

/** The fields that determine a pool's value. */
type Valued = Pick<
  PoolRecord,
  'venue' | 'reserves' | 'baseDecimals' | 'quoteDecimals' | 'priceUsd'
>;

/** The quote side of a pool's liquidity in USD; null while it or the quote's price is unknown. */
export function quoteUsdOf(
  state: Pick<Valued, 'venue' | 'reserves' | 'quoteDecimals'>,
  usdPerQuote: PriceE18 | null,
): UsdNano | null {
  if (state.reserves === null || usdPerQuote === null) return null;
  const { quote } = liquidReserves(state.reserves, isCurveVenue(state.venue));
  return usdOf(quote, state.quoteDecimals, usdPerQuote);
}

/**
 * A pool's liquidity in USD: both sides at the pool's price; for a bonding curve, which also holds
 * the unsold supply, twice the quote side (METHODS §1).
 */
export function liquidityUsdOf(state: Valued, usdPerQuote: PriceE18 | null): UsdNano | null {
  const quoteUsd = quoteUsdOf(state, usdPerQuote);
  if (quoteUsd === null || state.reserves === null) return null;
  if (isCurveVenue(state.venue)) return asUsdNano(quoteUsd * 2n);
  if (state.priceUsd === null) return null;
  const { base } = liquidReserves(state.reserves, false);
  const baseUsd = usdOf(base, state.baseDecimals, state.priceUsd);
  return asUsdNano(quoteUsd + baseUsd);
}

/** The parts of a pool's public record that come from other books. */
export interface PoolSurroundings {
  /** Distinct traders of the pool, wallets or not. */
  readonly walletCount: number;
  readonly usdPerQuote: PriceE18 | null;
  readonly locked: LockedLiquidity | null;
}

/** The public record of a pool, valued at the given price of its quote. */
export function presentPool(
  state: PoolState,
  { walletCount, usdPerQuote, locked }: PoolSurroundings,
): PoolRecord {
  return {
    pool: state.pool,
    venue: state.venue,
    baseMint: state.baseMint,
    quoteMint: state.quoteMint,
    baseDecimals: state.baseDecimals,
    quoteDecimals: state.quoteDecimals,
    creator: state.creator,
    createdSlot: state.createdSlot,
    reserves: state.reserves,
    buyCount: state.buyCount,
    sellCount: state.sellCount,
    swapCount: state.swapCount,
    walletCount,
    buyVolumeUsd: state.buyVolumeUsd,
    sellVolumeUsd: state.sellVolumeUsd,
    quoteVolumeRaw: state.quoteVolumeRaw,
    pricedQuoteVolumeRaw: state.pricedQuoteVolumeRaw,
    price: state.price,
    priceUsd: state.priceUsd,
    priceChain: state.priceChain,
    athPriceUsd: state.athPriceUsd,
    liquidityUsd: liquidityUsdOf(state, usdPerQuote),
    lockedLiquidity: locked,
    isCurveComplete: state.isCurveComplete,
    migratedTo: state.migratedTo,
    firstSeenMs: state.firstSeenMs,
    lastSwapMs: state.lastSwapMs,
    updatedAtMs: state.updatedAtMs,
    slot: state.slot,
  };
}
