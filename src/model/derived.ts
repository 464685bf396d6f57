import type { Creator } from './chain-event.ts';
import type { Classification } from './fraud.ts';
import type { IndicatorMinute } from './indicators.ts';
import type { Venue } from './program.ts';
import type { QuoteChain } from './quote-chain.ts';
import type { Reserves } from './reserves.ts';
import type { Outcome, Signal } from './signal.ts';
import type { AttributedSwap, Side, Swap } from './swap.ts';
import type { Address, Lamports, PriceE18, RawAmount, Signature, Slot, UsdNano } from './units.ts';

/**
 * Everything known of a mint. Times are milliseconds of logical chain time, here and in the records
 * below; null where the slot's time is unknown.
 */
export interface TokenRecord {
  readonly mint: Address;
  readonly tokenProgram: Address | null;
  /** Wallet that launched the token, else the signer that created the mint. */
  readonly creator: Address | null;
  /**
   * Who is paid its creator fees, where the chain named somebody: at the launch another than the
   * creator, or in a later change. Null while it did not.
   */
  readonly feeRecipient: Address | null;
  /** Null for a mint that is older than the held history. */
  readonly supplyRaw: RawAmount | null;
  /** Part of the supply that sits at burn addresses, out of circulation. */
  readonly burnedRaw: RawAmount;
  readonly decimals: number | null;
  readonly name: string | null;
  readonly symbol: string | null;
  readonly mintAuthority: Address | null;
  readonly freezeAuthority: Address | null;
  readonly creationSlot: Slot | null;
  readonly metadata: TokenMetadata | null;
  readonly liquidityEvent: LiquidityEvent | null;
  /** The pool that gives the token its price: largest real quote liquidity in USD. */
  readonly primaryPool: Address | null;
  /** Robust price of the primary pool. */
  readonly priceUsd: PriceE18 | null;
  /** What priceUsd hangs on, where the primary pool is quoted in neither SOL nor a stablecoin. */
  readonly priceChain: QuoteChain | null;
  readonly createdAtMs: number | null;
  readonly updatedAtMs: number | null;
  readonly slot: Slot;
}

export interface TokenMetadata {
  readonly updateAuthority: Address | null;
  readonly uri: string | null;
  readonly creators: readonly Creator[] | null;
  readonly primarySaleHappened: boolean;
  readonly isMutable: boolean;
  readonly tokenStandard: string | null;
  readonly sellerFeeBps: number | null;
}

/** The first real liquidity of a token (METHODS §1). */
export interface LiquidityEvent {
  readonly pool: Address;
  readonly quoteMint: Address;
  /** SOL for SOL pools, else converted at the slot's SOL/USD; null when that is unknown. */
  readonly lamports: Lamports | null;
  /** What a pool's vault was given; of a launch what was minted to its curve, null when unknown. */
  readonly baseRaw: RawAmount | null;
  readonly valueUsd: UsdNano | null;
  readonly slot: Slot;
  readonly timeMs: number | null;
}

export interface PoolRecord {
  readonly pool: Address;
  readonly venue: Venue;
  readonly baseMint: Address;
  readonly quoteMint: Address;
  readonly baseDecimals: number;
  readonly quoteDecimals: number;
  readonly creator: Address | null;
  readonly createdSlot: Slot | null;
  readonly reserves: Reserves | null;
  /** Distinct (signature, trader, side) with a change of base. */
  readonly buyCount: number;
  readonly sellCount: number;
  readonly swapCount: number;
  readonly walletCount: number;
  readonly buyVolumeUsd: UsdNano;
  readonly sellVolumeUsd: UsdNano;
  readonly quoteVolumeRaw: RawAmount;
  /** Part of quoteVolumeRaw of which the USD value is known. */
  readonly pricedQuoteVolumeRaw: RawAmount;
  /** Robust price in quote per base (METHODS §5.3), and in USD. */
  readonly price: PriceE18 | null;
  readonly priceUsd: PriceE18 | null;
  /** What priceUsd hangs on; null for a quote in SOL or a stablecoin, and with priceUsd. */
  readonly priceChain: QuoteChain | null;
  readonly athPriceUsd: PriceE18 | null;
  /** What it holds is valued at what SOL is worth now, other quotes as when the pool changed last. */
  readonly liquidityUsd: UsdNano | null;
  /**
   * As of the record's slot. Null for pools without LP tokens, and where the held history does not
   * know their supply.
   */
  readonly lockedLiquidity: LockedLiquidity | null;
  readonly isCurveComplete: boolean;
  readonly migratedTo: Address | null;
  readonly firstSeenMs: number | null;
  /** Of the last swap whose time is known. */
  readonly lastSwapMs: number | null;
  readonly updatedAtMs: number | null;
  readonly slot: Slot;
}

/** Of a pool's LP tokens: all that were issued and not withdrawn, and those out of reach. */
export interface LockedLiquidity {
  readonly issuedRaw: RawAmount;
  readonly lockedRaw: RawAmount;
}

/** Why a swap counts in volume but may not set a price. */
export type PriceExclusion =
  | 'quarantined'
  | 'physics'
  | 'dust'
  | 'pure_arbitrage'
  | 'atomic_round_trip'
  | 'sandwich_leg'
  | 'spike'
  | 'thin_jump';

/** A swap with everything the fold added to it. */
export interface PricedSwap {
  readonly swap: Swap;
  readonly slot: Slot;
  readonly txIndex: number;
  readonly signature: Signature;
  readonly timeMs: number;
  /** False where `timeMs` only orders: such a swap is in no candle and no other span of time. */
  readonly isTimeKnown: boolean;
  /** Executed price: |quote| / |base| on the pool's side; null when the base side is zero or it is beyond PRICE_MAX. */
  readonly price: PriceE18 | null;
  readonly priceUsd: PriceE18 | null;
  /** |quote| in USD; null when the quote's USD price is unknown. */
  readonly valueUsd: UsdNano | null;
  /** What both hang on; null for a quote in SOL or a stablecoin, and where they are unknown. */
  readonly quoteChain: QuoteChain | null;
  readonly exclusion: PriceExclusion | null;
  /**
   * Its pool is the primary pool of its base mint at the end of its slot: what it may price of the
   * pool (`exclusion`) it prices of the mint as well. Decided once, whatever is primary later.
   */
  readonly setsTokenPrice: boolean;
  /**
   * Its trader counted as organic in its pool at the end of its slot, and the trade is neither wash
   * nor arbitrage. Decided once, whatever the trader turns out to be later.
   */
  readonly isOrganic: boolean;
}

/** A priced swap of which the trader is known. */
export interface WalletSwap extends PricedSwap {
  readonly swap: AttributedSwap;
}

/** False for a swap that nobody can be said to have made. */
export function hasTrader(priced: PricedSwap): priced is WalletSwap {
  return priced.swap.trader !== null;
}

/** Finest stored candle; every coarser one is a merge of these. */
export const BASE_CANDLE_MS = 30_000;

/**
 * Trades of one bucket. Sums are kept, never averages, so that merging candles equals computing
 * them from the trades.
 */
export interface Candle {
  /** A pool, or a mint: volume over all its pools, prices of what was its primary pool then. */
  readonly scope: Address;
  readonly openTimeMs: number;
  /** In quote per base; null for a mint's candle and where no trade could set a price. */
  readonly quote: OpenHighLowClose | null;
  readonly usd: OpenHighLowClose | null;
  readonly baseVolumeRaw: RawAmount;
  /** 0 for a mint: its pools have different quotes, whose amounts do not add. */
  readonly quoteVolumeRaw: RawAmount;
  readonly volumeUsd: UsdNano;
  /** Base volume of the trades counted in volumeUsd: vwap is their quotient. */
  readonly pricedBaseVolumeRaw: RawAmount;
  readonly baseDecimals: number;
  readonly trades: number;
  readonly buys: number;
  readonly sells: number;
  /** Supply net of burns when the candle last changed; null when unknown. */
  readonly supplyRaw: RawAmount | null;
  /** False while a later slot may still change it. */
  readonly isFinal: boolean;
  readonly slot: Slot;
}

export interface OpenHighLowClose {
  readonly open: PriceE18;
  readonly high: PriceE18;
  readonly low: PriceE18;
  readonly close: PriceE18;
}

/** What one owner holds of one mint, summed over its token accounts. */
export interface HolderBalance {
  readonly mint: Address;
  readonly owner: Address;
  readonly balanceRaw: RawAmount;
  /** The owner is a pool, a curve or holds a pool's vaults. */
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
  /** At whose end it was found: its own, or a later one where links told. */
  readonly foundSlot: Slot;
}

export interface SolPrice {
  readonly minuteMs: number;
  readonly usd: PriceE18;
  readonly slot: Slot;
}

/** What one slot changed: what the store writes and the live view shows. */
export interface SlotChanges {
  readonly slot: Slot;
  readonly timeMs: number;
  /**
   * Swaps of the slot, after those of earlier slots whose exclusion turned out otherwise. Without
   * those of unknown time: what is kept of swaps is kept by time.
   */
  readonly swaps: readonly PricedSwap[];
  readonly tokens: readonly TokenRecord[];
  readonly pools: readonly PoolRecord[];
  readonly candles: readonly Candle[];
  readonly balances: readonly HolderBalance[];
  readonly bundles: readonly BundledTransaction[];
  readonly solPrices: readonly SolPrice[];
  /** Of pools that were traded in the minute that ended before this slot. */
  readonly indicators: readonly IndicatorMinute[];
  /** Findings of fraud that are new or another than before. */
  readonly classifications: readonly Classification[];
  /** Given at the end of the minute before this slot, the control's among them; in order of number. */
  readonly signals: readonly Signal[];
  /** Of signals whose outcome is another than before; a new signal's own is among them. */
  readonly outcomes: readonly Outcome[];
}
