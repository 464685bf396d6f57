import type { Address, Slot } from './units.ts';

/** What kind of program a bot is, by the names the wire uses (METHODS §13.1). */
export const WALLET_KINDS = [
  'sniper',
  'sandwich',
  'arbitrage',
  'market_maker',
  'volume_swarm',
  'copy_trader',
  'executor',
  'wash',
  'dust',
] as const;

export type WalletKind = (typeof WALLET_KINDS)[number];

/** Rules that make a wallet a bot in the pools of one token only, by the names the wire uses. */
export const TOKEN_RULES = [
  'launch_sniper',
  'volume_swarm',
  'coordination',
  'atomic_volume',
  'sandwich_leg',
  'dust',
] as const;

export type TokenRule = (typeof TOKEN_RULES)[number];

/** A figure of a rule. and its threshold, which the meaning of the rule explains. */
export interface RuleFigure {
  readonly measure: string;
  readonly value: number;
  readonly threshold: number;
}

/** A rule that makes a wallet a bot in the pools of a token. */
export interface TokenJudgement {
  readonly token: Address;
  readonly rule: TokenRule;
  /** Null for coordination other than wash trading, which is no kind of program. */
  readonly kind: WalletKind | null;
  /** What the rule detects and why, in words. */
  readonly meaning: string;
  /** From this slot on it counts; null where it holds for the sum of all trades. */
  readonly sinceSlot: Slot | null;
  readonly evidence: readonly RuleFigure[];
}
