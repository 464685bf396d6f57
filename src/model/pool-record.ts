import { added, type Described, nullable, plain, record } from './codec.ts';
import type { Venue } from './program.ts';
import { QUOTE_CHAIN } from './quote-chain.ts';
import { RESERVES } from './reserves.ts';
import type { Slot } from './units.ts';
import { address, amount, maybeAddress, maybePrice, maybeUsd, usd } from './value-codecs.ts';

export const LOCKED_LIQUIDITY = record({
  issuedRaw: amount,
  lockedRaw: amount,
});

/** A pool's LP tokens: those issued and not withdrawn, and the locked part of them. */
export interface LockedLiquidity extends Described<typeof LOCKED_LIQUIDITY> {}

export const POOL_RECORD = record({
  pool: address,
  venue: plain<Venue>(),
  baseMint: address,
  quoteMint: address,
  baseDecimals: plain<number>(),
  quoteDecimals: plain<number>(),
  creator: maybeAddress,
  createdSlot: plain<Slot | null>(),
  reserves: nullable(RESERVES),
  /** Number of distinct (signature, trader, side) with a change of base. */
  buyCount: plain<number>(),
  sellCount: plain<number>(),
  swapCount: plain<number>(),
  walletCount: plain<number>(),
  buyVolumeUsd: usd,
  sellVolumeUsd: usd,
  quoteVolumeRaw: amount,
  /** Part of quoteVolumeRaw whose USD value is known. */
  pricedQuoteVolumeRaw: amount,
  /** Robust price in quote per base (METHODS §5.3), and in USD. */
  price: maybePrice,
  priceUsd: maybePrice,
  athPriceUsd: maybePrice,
  /**
   * Holdings in SOL are valued at the current SOL price, other quotes at their price when the pool
   * last changed.
   */
  liquidityUsd: maybeUsd,
  isCurveComplete: plain<boolean>(),
  migratedTo: maybeAddress,
  firstSeenMs: plain<number | null>(),
  /** Time of the last swap whose time is known. */
  lastSwapMs: plain<number | null>(),
  updatedAtMs: plain<number | null>(),
  slot: plain<Slot>(),
  /**
   * As of the record's slot. Null for pools without LP tokens, and when the recorded history does
   * not show their supply.
   */
  lockedLiquidity: added(nullable(LOCKED_LIQUIDITY), null),
  /**
   * The chain of quotes that priceUsd depends on; null for a quote in SOL or a stablecoin, and when
   * priceUsd is null.
   */
  priceChain: added(nullable(QUOTE_CHAIN), null),
});

/** Everything known about a pool. Times are as in TokenRecord. */
export interface PoolRecord extends Described<typeof POOL_RECORD> {}
