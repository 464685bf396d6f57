import type { AddressClass } from './address-registry.ts';
import type { Address, Lamports, PriceE18, RawAmount, Slot, UsdNano } from './units.ts';
import type { TokenJudgement, WalletKind } from './wallet-kind.ts';

/** Everything known about a wallet, as of the newest slot. Times are logical milliseconds. */
export interface WalletRecord {
  readonly address: Address;
  /** Known or observed class of the address; null for an ordinary wallet. */
  readonly addressClass: AddressClass | 'hub' | null;
  /** Null for a wallet that never traded. */
  readonly automation: WalletAutomation | null;
  /** Null until one of its episodes has ended. */
  readonly skill: WalletSkill | null;
  /** What makes it a bot in single tokens, most recent first, of at most 50. */
  readonly tokenJudgements: readonly TokenJudgement[];
  readonly firstFunding: WalletFunding | null;
  /** Newest first, at most `POSITIONS_SHOWN`. */
  readonly positions: readonly WalletPosition[];
  readonly positionCount: number;
}

export const POSITIONS_SHOWN = 200;

export type WalletClass = 'organic' | 'bot';

/** Classification as bot or organic, with the reasons (METHODS §2.1). */
export interface WalletAutomation {
  readonly class: WalletClass;
  /** Kinds of program, those in single tokens included. */
  readonly kinds: readonly WalletKind[];
  readonly score: number;
  readonly rule: string | null;
  /** What the rule detects and why, in words; null without a rule. */
  readonly ruleMeaning: string | null;
  readonly ruleHeldMs: number | null;
  readonly evidence: readonly {
    readonly measure: string;
    readonly value: number;
    readonly threshold: number;
  }[];
  readonly sinceSlot: Slot;
  readonly sinceMs: number;
  /** What the contributions of the terms are added to. */
  readonly baseLogit: number;
  readonly terms: readonly ScoreTerm[];
  readonly trades: number;
  readonly firstSlot: Slot;
  readonly firstMs: number;
  readonly lastSlot: Slot;
  readonly lastMs: number;
}

/** One line of the scorecard: the measured feature and its contribution to the logit. */
export interface ScoreTerm {
  readonly term: string;
  /** Description of the measured feature, in words. */
  readonly feature: string;
  /** Why the feature says something about automation. */
  readonly why: string;
  /** Null while there is too little data. */
  readonly value: number | null;
  /** The term counts from 0 at `from` to its whole weight at `to`. */
  readonly from: number;
  readonly to: number;
  readonly weight: number;
  readonly contribution: number;
}

/**
 * How well a wallet trades, with all figures that the score is computed from. Returns are natural
 * logarithms; sums are weighted by age, as of the last ended position.
 */
export interface WalletSkill {
  readonly isSmart: boolean;
  /** Percentile of the merit among people with as many ended positions, from 0 to 100. */
  readonly score: number;
  /** People compared with, and those of them with a lower merit. */
  readonly peers: number;
  readonly peersBelow: number;
  readonly merit: number;
  /** The merit's parts: their contributions add up to it. */
  readonly terms: readonly SkillTerm[];
  /** Posterior mean of the return beyond luck, and deviation of single returns. */
  readonly skillMean: number;
  readonly skillDeviation: number;
  readonly skillBound: number;
  readonly boundWithoutBest: number;
  readonly logProfitFactor: number;
  readonly episodes: number;
  readonly wins: number;
  /** Sums of returns, of returns less those of similar purchases, and of the squares of these. */
  readonly returns: number;
  readonly excess: number;
  readonly excessSquares: number;
  /** The highest return beyond that of similar purchases, and its weight. */
  readonly bestExcess: number;
  readonly bestWeight: number;
  readonly gainsUsd: number;
  readonly lossesUsd: number;
  readonly excludedEpisodes: number;
  readonly lastEpisodeMs: number | null;
}

/** One part of the merit. */
export interface SkillTerm {
  readonly term: string;
  /** Description of the measured feature, in words. */
  readonly feature: string;
  readonly value: number;
  readonly weight: number;
  /** The weight times the value. */
  readonly contribution: number;
}

export interface WalletFunding {
  readonly funder: Address;
  readonly funderClass: AddressClass | 'hub' | null;
  readonly lamports: Lamports;
  readonly slot: Slot;
  readonly timeMs: number;
}

export interface WalletPosition {
  readonly mint: Address;
  readonly symbol: string | null;
  readonly decimals: number | null;
  /** Units held with a known cost, and units held beside them without one. */
  readonly heldRaw: RawAmount;
  readonly unknownBasisRaw: RawAmount;
  readonly costUsd: UsdNano;
  readonly realisedUsd: UsdNano;
  /** Whether any unit ever had a known cost. */
  readonly hasKnownCost: boolean;
  /** Robust price of the token; null while unknown. */
  readonly priceUsd: PriceE18 | null;
  readonly buys: number;
  readonly sells: number;
  readonly firstBuyMs: number | null;
  readonly lastTradeMs: number | null;
}
