import { added, type Described, list, nullable, plain, record } from './codec.ts';
import type { Classification } from './fraud.ts';
import type { IndicatorMinute } from './indicators.ts';
import { CREATOR } from './metadata-content.ts';
import type { Venue } from './program.ts';
import { QUOTE_CHAIN, type QuoteChain } from './quote-chain.ts';
import { RESERVES } from './reserves.ts';
import type { Outcome, Signal } from './signal.ts';
import type { AttributedSwap, Side, Swap } from './swap.ts';
import type { Address, Lamports, PriceE18, RawAmount, Signature, Slot, UsdNano } from './units.ts';
import {
  address,
  amount,
  lamports,
  maybeAddress,
  maybeAmount,
  maybePrice,
  maybeUsd,
  usd,
} from './value-codecs.ts';

export const TOKEN_METADATA = record({
  updateAuthority: maybeAddress,
  uri: plain<string | null>(),
  creators: nullable(list(CREATOR)),
  primarySaleHappened: plain<boolean>(),
  isMutable: plain<boolean>(),
  tokenStandard: plain<string | null>(),
  sellerFeeBps: plain<number | null>(),
});

export interface TokenMetadata extends Described<typeof TOKEN_METADATA> {}

export const LIQUIDITY_EVENT = record({
  pool: address,
  quoteMint: address,
  /** SOL for SOL pools, else converted at the slot's SOL/USD; null when that is unknown. */
  lamports: nullable(lamports),
  /**
   * Base tokens deposited into the pool's vault; for a launch, those minted to its curve; null when
   * unknown.
   */
  baseRaw: maybeAmount,
  valueUsd: maybeUsd,
  slot: plain<Slot>(),
  timeMs: plain<number | null>(),
});

/** The first real liquidity of a token (METHODS §1). */
export interface LiquidityEvent extends Described<typeof LIQUIDITY_EVENT> {}

export const TOKEN_RECORD = record({
  mint: address,
  tokenProgram: maybeAddress,
  /** Wallet that launched the token, else the signer that created the mint. */
  creator: maybeAddress,
  /** Null for a mint older than the recorded history. */
  supplyRaw: maybeAmount,
  /** Part of the supply held by burn addresses, out of circulation. */
  burnedRaw: amount,
  decimals: plain<number | null>(),
  name: plain<string | null>(),
  symbol: plain<string | null>(),
  mintAuthority: maybeAddress,
  freezeAuthority: maybeAddress,
  creationSlot: plain<Slot | null>(),
  metadata: nullable(TOKEN_METADATA),
  liquidityEvent: nullable(LIQUIDITY_EVENT),
  /** The pool that gives the token its price: largest real quote liquidity in USD. */
  primaryPool: maybeAddress,
  /** Robust price of the primary pool. */
  priceUsd: maybePrice,
  createdAtMs: plain<number | null>(),
  updatedAtMs: plain<number | null>(),
  slot: plain<Slot>(),
  /**
   * Receiver of the token's creator fees when the chain named one: at launch, if it is not the
   * creator, or in a later change. Null otherwise.
   */
  feeRecipient: added(maybeAddress, null),
  /**
   * The chain of quotes that priceUsd depends on when the primary pool is quoted in neither SOL nor
   * a stablecoin.
   */
  priceChain: added(nullable(QUOTE_CHAIN), null),
});

/**
 * Everything known about a mint. Times are milliseconds of logical chain time, here and in the
 * records below; null where the slot's time is unknown.
 */
export interface TokenRecord extends Described<typeof TOKEN_RECORD> {}

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

export interface PoolRecord extends Described<typeof POOL_RECORD> {}

/** Why a swap counts in volume but must not set a price. */
export type PriceExclusion =
  | 'quarantined'
  | 'physics'
  | 'dust'
  | 'pure_arbitrage'
  | 'atomic_round_trip'
  | 'sandwich_leg'
  | 'spike'
  | 'thin_jump';

/** A swap with everything the fold derived for it. */
export interface PricedSwap {
  readonly swap: Swap;
  readonly slot: Slot;
  readonly txIndex: number;
  readonly signature: Signature;
  readonly timeMs: number;
  /**
   * False when `timeMs` is only for ordering: such a swap is in no candle and no other time range.
   */
  readonly isTimeKnown: boolean;
  /**
   * Executed price: |quote| / |base| on the pool's side; null when the base side is zero or the
   * price is above PRICE_MAX.
   */
  readonly price: PriceE18 | null;
  readonly priceUsd: PriceE18 | null;
  /** |quote| in USD; null when the quote's USD price is unknown. */
  readonly valueUsd: UsdNano | null;
  /**
   * The chain of quotes that both depend on; null for a quote in SOL or a stablecoin, and when they
   * are unknown.
   */
  readonly quoteChain: QuoteChain | null;
  readonly exclusion: PriceExclusion | null;
  /**
   * True when its pool is the primary pool of its base mint at the end of its slot: a swap that may
   * set the price of the pool (see `exclusion`) then sets the price of the mint as well. Decided
   * once; a later change of the primary pool does not alter it.
   */
  readonly setsTokenPrice: boolean;
  /**
   * True when its trader counted as organic in its pool at the end of its slot, and the trade is
   * neither wash nor arbitrage. Decided once; a later reclassification of the trader does not alter
   * it.
   */
  readonly isOrganic: boolean;
}

/** A priced swap with a known trader. */
export interface WalletSwap extends PricedSwap {
  readonly swap: AttributedSwap;
}

/** False for a swap that cannot be attributed to a trader. */
export function hasTrader(priced: PricedSwap): priced is WalletSwap {
  return priced.swap.trader !== null;
}

/** Finest stored candle; every coarser one is a merge of these. */
export const BASE_CANDLE_MS = 30_000;

/**
 * Trades of one bucket. Only sums are kept, no averages, so merging candles gives the same result
 * as computing them from the trades.
 */
export interface Candle {
  /**
   * A pool or a mint. A mint's candle has the volume of all its pools and the prices of its primary
   * pool at the time.
   */
  readonly scope: Address;
  readonly openTimeMs: number;
  /** In quote per base; null for a mint's candle and where no trade could set a price. */
  readonly quote: OpenHighLowClose | null;
  readonly usd: OpenHighLowClose | null;
  readonly baseVolumeRaw: RawAmount;
  /** 0 for a mint, since amounts in different quotes cannot be added. */
  readonly quoteVolumeRaw: RawAmount;
  readonly volumeUsd: UsdNano;
  /** Base volume of the trades counted in volumeUsd; vwap is volumeUsd divided by it. */
  readonly pricedBaseVolumeRaw: RawAmount;
  readonly baseDecimals: number;
  readonly trades: number;
  readonly buys: number;
  readonly sells: number;
  /** Supply net of burns when the candle last changed; null when unknown. */
  readonly supplyRaw: RawAmount | null;
  /** False while later slots may still change it. */
  readonly isFinal: boolean;
  readonly slot: Slot;
}

export interface OpenHighLowClose {
  readonly open: PriceE18;
  readonly high: PriceE18;
  readonly low: PriceE18;
  readonly close: PriceE18;
}

/** One owner's balance of one mint, summed over its token accounts. */
export interface HolderBalance {
  readonly mint: Address;
  readonly owner: Address;
  readonly balanceRaw: RawAmount;
  /** True when the owner is a pool or a curve, or owns a pool's vaults. */
  readonly isPool: boolean;
  readonly firstSeenMs: number | null;
  readonly slot: Slot;
}

export type BundleLevel = 'L1' | 'L2' | 'L2o' | 'L3';

/** One signer's part in a bundle (METHODS §3). */
export interface BundledTransaction {
  readonly mint: Address;
  readonly slot: Slot;
  readonly txIndex: number;
  readonly signature: Signature;
  readonly owner: Address;
  /** |wallet-side SOL change of the swap|, tips, fees and rent excluded. */
  readonly lamports: Lamports;
  readonly side: Side;
  readonly level: BundleLevel;
  readonly certainty: number;
  /**
   * Slot at whose end it was found: its own slot, or a later one when links between wallets
   * revealed it.
   */
  readonly foundSlot: Slot;
}

export interface SolPrice {
  readonly minuteMs: number;
  readonly usd: PriceE18;
  readonly slot: Slot;
}

/** Changes made by one slot: what the store writes and the live view shows. */
export interface SlotChanges {
  readonly slot: Slot;
  readonly timeMs: number;
  /**
   * Swaps of the slot, after swaps of earlier slots whose exclusion has changed. Swaps of unknown
   * time are not included, since swaps are stored by time.
   */
  readonly swaps: readonly PricedSwap[];
  readonly tokens: readonly TokenRecord[];
  readonly pools: readonly PoolRecord[];
  readonly candles: readonly Candle[];
  readonly balances: readonly HolderBalance[];
  readonly bundles: readonly BundledTransaction[];
  readonly solPrices: readonly SolPrice[];
  /** Pools traded in the minute that ended before this slot. */
  readonly indicators: readonly IndicatorMinute[];
  /** Fraud findings that are new or have changed. */
  readonly classifications: readonly Classification[];
  /**
   * Signals given at the end of the minute before this slot, including the control's, in order of
   * number.
   */
  readonly signals: readonly Signal[];
  /** Outcomes that have changed, including the first outcome of each new signal. */
  readonly outcomes: readonly Outcome[];
}
