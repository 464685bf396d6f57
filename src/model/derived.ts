import { added, type Described, interned, nullable, plain, record } from './codec.ts';
import type { Classification } from './fraud.ts';
import type { IndicatorMinute } from './indicators.ts';
import type { PoolRecord } from './pool-record.ts';
import { QUOTE_CHAIN, type QuoteChain } from './quote-chain.ts';
import type { RuleHit } from './rule-hit.ts';
import type { Outcome, Signal } from './signal.ts';
import { type AttributedSwap, LONE_SWAP, type Side } from './swap.ts';
import type { Terminal } from './terminal-accounts.ts';
import type { TokenRecord } from './token-record.ts';
import type { Address, Lamports, PriceE18, RawAmount, Signature, Slot, UsdNano } from './units.ts';
import { maybePrice, maybeUsd, signature } from './value-codecs.ts';
import type { WalletClass } from './wallet-record.ts';

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

export const PRICED_SWAP = record({
  swap: LONE_SWAP,
  slot: plain<Slot>(),
  txIndex: plain<number>(),
  signature,
  timeMs: plain<number>(),
  /**
   * False when `timeMs` is only for ordering: such a swap is in no candle and no other time range.
   */
  isTimeKnown: plain<boolean>(),
  /**
   * Executed price: |quote| / |base| on the pool's side; null when the base side is zero or the
   * price is above PRICE_MAX.
   */
  price: maybePrice,
  priceUsd: maybePrice,
  /** |quote| in USD; null when the quote's USD price is unknown. */
  valueUsd: maybeUsd,
  /**
   * The chain of quotes that both depend on; null for a quote in SOL or a stablecoin, and when they
   * are unknown.
   */
  quoteChain: nullable<QuoteChain>(QUOTE_CHAIN),
  exclusion: plain<PriceExclusion | null>(),
  /**
   * True when its pool is the primary pool of its base mint at the end of its slot: a swap that may
   * set the price of the pool (see `exclusion`) then sets the price of the mint as well. Decided
   * once; a later change of the primary pool does not alter it.
   */
  setsTokenPrice: plain<boolean>(),
  /**
   * True when its trader counted as organic in its pool at the end of its slot, and the trade is
   * neither wash nor arbitrage. Decided once; a later reclassification of the trader does not alter
   * it.
   */
  isOrganic: plain<boolean>(),
  /**
   * The class of its trader in its pool at the end of its slot (METHODS §2.1), decided once; null
   * when it has no trader, or one that is no wallet.
   */
  walletClass: added(plain<WalletClass | null>(), null),
  /** The trading terminal of its transaction; null when none is known. */
  terminal: added(nullable(interned<Terminal>()), null),
});

/** A swap with everything the fold derived for it. */
export interface PricedSwap extends Described<typeof PRICED_SWAP> {}

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
  /** Base volume of the trades counted in volumeUsd. */
  readonly pricedBaseVolumeRaw: RawAmount;
  /**
   * Base volume of the trades that set the prices in USD, and their value: vwap is the quotient.
   * Both are 0 without such a trade.
   */
  readonly pricingBaseRaw: RawAmount;
  readonly pricingUsd: UsdNano;
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

/** The prices of a candle without a price of its own: all are the last close. */
export function flatAt(close: PriceE18): OpenHighLowClose {
  return { open: close, high: close, low: close, close };
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

/**
 * How trades are known to have been placed together (METHODS §3). Rows store the index: append new
 * levels at the end.
 */
export const BUNDLE_LEVELS = ['L1', 'L2', 'L2o', 'L3', 'exact'] as const;
export type BundleLevel = (typeof BUNDLE_LEVELS)[number];

/** Levels that rest on the transactions themselves, not on similar sizes or links of wallets. */
export const ATOMIC_LEVELS: ReadonlySet<BundleLevel> = new Set(['exact', 'L1', 'L2']);

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
  /** Time of the slot; null if unknown. */
  readonly timeMs: number | null;
  readonly group: BundleGroupName;
  /** Jito tips of the whole group. */
  readonly tipLamports: Lamports;
}

/** Trades of a mint that were placed together. */
export interface BundleGroup {
  readonly name: BundleGroupName;
  /** Of the first of them. */
  readonly timeMs: number | null;
  /** Those of the most certain member. */
  readonly level: BundleLevel;
  readonly certainty: number;
  readonly tipLamports: Lamports;
  /** In block order. */
  readonly members: readonly BundledTransaction[];
}

/** What was placed together of a mint, named by the position of its first transaction. */
export interface BundleGroupName {
  readonly slot: Slot;
  readonly txIndex: number;
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
  /**
   * Candles as they are shown: those of `candles` and such as a changed close before them moved, with
   * a price or flat at the last close; none before the first price. One without prices was shown
   * before this slot and no longer is.
   */
  readonly shownCandles: readonly Candle[];
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
  /** Rules that passed at the end of the minute before this slot, in order of number. */
  readonly ruleHits: readonly RuleHit[];
}
