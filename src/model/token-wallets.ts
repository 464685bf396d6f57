import type { Address, UsdNano } from './units.ts';
import type { TokenJudgement } from './wallet-kind.ts';
import type { WalletPosition } from './wallet-record.ts';

/** What is known about a wallet in a token, by the names the wire uses. */
export const WALLET_LABELS = ['creator', 'insider', 'smart', 'copied'] as const;

/**
 * `creator`: created the token. `insider`: paid the creator, was paid by it, or has the same first
 * funder. `smart`: trades well (METHODS §2.6). `copied`: others bought the token right after it, as
 * they often do.
 */
export type WalletLabel = (typeof WALLET_LABELS)[number];

/** A wallet in a token, as of the newest slot. */
export interface WalletStanding {
  /** Null for a wallet that never traded. */
  readonly walletClass: 'organic' | 'bot' | null;
  /** Rules that make it a bot in the pools of this token, whatever it is elsewhere. */
  readonly judgements: readonly TokenJudgement[];
  readonly labels: readonly WalletLabel[];
  /**
   * Names the cluster of wallets assumed to have one owner: the first funder, or the wallet itself if
   * that is unknown or also pays unrelated wallets.
   */
  readonly cluster: Address;
  /** Null for an owner that never traded the token nor received it from one that did. */
  readonly position: WalletPosition | null;
}

export const TRADER_ORDERS = ['profit', 'realised'] as const;

/** `profit`: realised and unrealised together; positions without a price come last. */
export type TraderOrder = (typeof TRADER_ORDERS)[number];

/** A place in the order of traders: highest profit first, unknown last, ties by age. */
export interface TraderCursor {
  readonly usd: UsdNano | null;
  /** Number of the position; older ones have lower numbers. */
  readonly number: number;
}

export interface TraderPageQuery {
  readonly mint: Address;
  readonly orderBy: TraderOrder;
  /** Null: from the highest on. */
  readonly after: TraderCursor | null;
  readonly limit: number;
}

/** A wallet that traded a token. */
export interface TokenTrader {
  readonly wallet: Address;
  readonly standing: WalletStanding;
  readonly position: WalletPosition;
}

export interface TraderPage {
  readonly traders: readonly TokenTrader[];
  /** Null on the last page. */
  readonly next: TraderCursor | null;
}
