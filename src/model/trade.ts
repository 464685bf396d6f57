import type { PricedSwap } from './derived.ts';
import type { Venue } from './program.ts';
import type { Side, Swap } from './swap.ts';
import type { Terminal } from './terminal-accounts.ts';
import type { Address, PriceE18, RawAmount, Signature, Slot, UsdNano } from './units.ts';
import type { WalletClass } from './wallet-record.ts';

/** The part of a swap that trades show; all tables of swaps store it. */
export interface TradedSwap
  extends Pick<
    PricedSwap,
    | 'timeMs'
    | 'slot'
    | 'txIndex'
    | 'signature'
    | 'priceUsd'
    | 'valueUsd'
    | 'exclusion'
    | 'isOrganic'
    | 'walletClass'
    | 'terminal'
  > {
  readonly swap: Pick<
    Swap,
    | 'outerIx'
    | 'innerIx'
    | 'venue'
    | 'pool'
    | 'baseMint'
    | 'quoteMint'
    | 'baseDecimals'
    | 'quoteDecimals'
    | 'trader'
    | 'side'
    | 'poolBaseDelta'
    | 'poolQuoteDelta'
    | 'router'
    | 'isIntermediateHop'
    | 'isAtomicRoundTrip'
    | 'isPureArbitrage'
  >;
}

/**
 * The position of a swap in the order of all trades. Logical time never decreases with the slot, so
 * it changes nothing about the order; the store finds rows by it. One instruction may swap on
 * several pools.
 */
export interface TradePosition {
  readonly timeMs: number;
  readonly slot: Slot;
  readonly txIndex: number;
  readonly outerIx: number;
  readonly innerIx: number;
  readonly pool: Address;
}

/** Which swaps to list. Null: any. At least one of mint, pool and wallet is given. */
export interface TradeFilter {
  readonly mint: Address | null;
  readonly pool: Address | null;
  readonly wallet: Address | null;
  readonly fromMs: number | null;
  /** Exclusive. */
  readonly toMs: number | null;
  readonly side: Side | null;
  /** Trades of unknown value are left out. */
  readonly valueUsdMin: UsdNano | null;
  /**
   * `organic`: trades that count as organic volume, as in the organic view of candles. `bot`: trades
   * of wallets that were bots in the pool.
   */
  readonly class: TradeClass;
}

export const TRADE_CLASSES = ['all', 'organic', 'bot'] as const;
export type TradeClass = (typeof TRADE_CLASSES)[number];

/**
 * `all`: one trade for each swap. `user`: one trade for each wallet, transaction and token
 * (`toUserTrades`); the filters on side, value and class then apply to these.
 */
export const TRADE_VIEWS = ['all', 'user'] as const;
export type TradeView = (typeof TRADE_VIEWS)[number];

export interface TradeQuery extends TradeFilter {
  readonly view: TradeView;
  /** Only trades older than this one; null for the newest. */
  readonly before: TradePosition | null;
  readonly limit: number;
}

/** A trade as clients see it: one swap, or the swaps of a wallet's transaction in one token. */
export interface Trade extends TradePosition {
  readonly signature: Signature;
  /** False while a fork may still revert it. */
  readonly isFinal: boolean;
  readonly mint: Address;
  readonly venue: Venue;
  readonly router: Address | null;
  readonly terminal: Terminal | null;
  /** Null for a swap that cannot be attributed. */
  readonly wallet: Address | null;
  readonly side: Side;
  /** The amounts that the pool exchanged, without fees: those of volumes and prices. */
  readonly baseRaw: RawAmount;
  readonly baseDecimals: number;
  /** Null with its amount and decimals for swaps in several quotes. */
  readonly quoteMint: Address | null;
  readonly quoteRaw: RawAmount | null;
  readonly quoteDecimals: number | null;
  readonly priceUsd: PriceE18 | null;
  readonly valueUsd: UsdNano | null;
  readonly walletClass: WalletClass | null;
  readonly isOrganic: boolean;
  readonly flags: readonly TradeFlag[];
}

export const TRADE_FLAGS = [
  'hop',
  'arbitrage',
  'round_trip',
  'bundled',
  'wash',
  'quarantined',
] as const;
export type TradeFlag = (typeof TRADE_FLAGS)[number];

export interface TradePage {
  /** Newest first. */
  readonly trades: readonly Trade[];
  /** Where the next page begins; null on the last page. */
  readonly next: TradePosition | null;
}

export function positionOf({ timeMs, slot, txIndex, swap }: TradedSwap): TradePosition {
  const { outerIx, innerIx, pool } = swap;
  return { timeMs, slot, txIndex, outerIx, innerIx, pool };
}

/** The order of trades, as a comparison for sorting: the newest first. */
export function newestFirst(one: TradePosition, other: TradePosition): number {
  return (
    other.timeMs - one.timeMs ||
    other.slot - one.slot ||
    other.txIndex - one.txIndex ||
    other.outerIx - one.outerIx ||
    other.innerIx - one.innerIx ||
    descending(one.pool, other.pool)
  );
}

/** Addresses are ASCII, so this is the byte order of the database. */
function descending(one: Address, other: Address): number {
  if (one === other) return 0;
  return one < other ? 1 : -1;
}
