import type { WalletFeatures } from './features/wallet-features.ts';
import {
  ATTEMPTS_MIN,
  BASE_LOGIT,
  CLOSED_HOLDS_MIN,
  FAST_GAPS_MIN,
  FIRST_BUYS_MIN,
  OLD_WALLET_S,
  REGULAR_GAPS_MIN,
  SATURATED_MIN,
  SATURATED_WEIGHT,
  SIZED_BUYS_MIN,
  TERMINAL_SHARE_MIN,
} from './features/wallet-thresholds.ts';

export type ScoreTermName =
  | 'short_holds'
  | 'fast_gaps'
  | 'regular_gaps'
  | 'uniform_size'
  | 'launch_snipes'
  | 'many_mints'
  | 'private_program'
  | 'failed_transactions'
  | 'many_swaps'
  | 'trading_terminal'
  | 'old_wallet';

/** One line of the scorecard: p = σ(−2 + Σ weight · x), x from 0 at `from` to 1 at `to`. */
export interface ScoreTerm {
  readonly name: ScoreTermName;
  readonly feature: string;
  readonly why: string;
  readonly from: number;
  readonly to: number;
  readonly weight: number;
  /** Null while there are too few observations; the term then contributes 0. */
  value(features: WalletFeatures): number | null;
  /**
   * Number of observations behind the value, for a habit that suffices by itself: saturated over
   * SATURATED_MIN of them it weighs SATURATED_WEIGHT. Absent for a term that never does.
   */
  observations?(features: WalletFeatures): number;
}

/** S1 to S11 of METHODS §2.1, of which S1 to S3 suffice when saturated (§13.1). */
export const SCORE_TERMS: readonly ScoreTerm[] = [
  {
    name: 'short_holds',
    feature: 'share of closed holds below 16 s',
    why: 'Scripts close positions within seconds; people rarely do.',
    from: 0.3,
    to: 0.8,
    weight: 1.6,
    value: ({ shortHolds, closedHolds }) => share(shortHolds, closedHolds, CLOSED_HOLDS_MIN),
    observations: ({ closedHolds }) => closedHolds,
  },
  {
    name: 'fast_gaps',
    feature: 'share of gaps between trades of at most 1 s',
    why: 'People rarely trade twice within a second.',
    from: 0.2,
    to: 0.6,
    weight: 1.2,
    value: ({ fastGaps, gaps }) => share(fastGaps, gaps, FAST_GAPS_MIN),
    observations: ({ gaps }) => gaps,
  },
  {
    name: 'regular_gaps',
    feature: '1 less the standard deviation of ln(gap)',
    why: 'Trades of timers are evenly spaced; trades of people come in bursts.',
    from: 0.5,
    to: 0.8,
    weight: 1.5,
    value: ({ lnGapDeviation, gaps }) => (gaps < REGULAR_GAPS_MIN ? null : 1 - lnGapDeviation),
    observations: ({ gaps }) => gaps,
  },
  {
    name: 'uniform_size',
    feature: 'share of the most frequent buy size, if it is not round in SOL',
    why: 'People repeat round sizes; an odd size that repeats was computed by a program.',
    from: 0.5,
    to: 0.9,
    weight: 1,
    value: ({ modalSizeBuys, sizedBuys, isModalSizeRound }) =>
      isModalSizeRound ? null : share(modalSizeBuys, sizedBuys, SIZED_BUYS_MIN),
  },
  {
    name: 'launch_snipes',
    feature: 'share of mints first bought within two slots of their launch',
    why:
      'Half of all launches have such buyers, so a single case means nothing; a high share ' +
      'does.',
    from: 0.2,
    to: 0.6,
    weight: 2.1,
    value: ({ snipes, firstBuys }) => share(snipes, firstBuys, FIRST_BUYS_MIN),
  },
  {
    name: 'many_mints',
    feature: 'distinct mints on the busier of the last two days',
    why: 'A person does not choose a new token every ten minutes all day.',
    from: 40,
    to: 150,
    weight: 1,
    value: ({ mintsPerDay }) => mintsPerDay,
  },
  {
    name: 'private_program',
    feature: 'share of trades through a program that at most 20 wallets use',
    why: "Trading through a program of one's own is automated.",
    from: 0.3,
    to: 0.8,
    weight: 1.2,
    value: ({ privateTrades, trades }) => share(privateTrades, trades, 1),
  },
  {
    name: 'failed_transactions',
    feature: 'share of trading transactions that failed',
    why: 'Programs send many transactions and accept that most fail.',
    from: 0.4,
    to: 0.8,
    weight: 0.8,
    value: ({ failed, trades }) => share(failed, failed + trades, ATTEMPTS_MIN),
  },
  {
    name: 'many_swaps',
    feature: 'swaps within 24 h',
    why: 'Below the limit of the hard rule, but high for a person.',
    from: 150,
    to: 500,
    weight: 0.8,
    value: ({ swaps24h }) => swaps24h,
  },
  {
    name: 'trading_terminal',
    feature: 'half of the trades or more through a trading terminal (1 or 0)',
    why: 'Terminals give people features of bots: tips, preset sizes, instant purchases.',
    from: 0,
    to: 1,
    weight: -0.8,
    value: ({ terminalTrades, trades }) => {
      const terminalShare = share(terminalTrades, trades, 1);
      return terminalShare === null ? null : Number(terminalShare >= TERMINAL_SHARE_MIN);
    },
  },
  {
    name: 'old_wallet',
    feature: 'first seen 30 days ago or more, and active outside of trading (1 or 0)',
    why:
      'Bots replace their wallets; people keep theirs and use them for other things than ' +
      'trading.',
    from: 0,
    to: 1,
    weight: -0.5,
    value: ({ ageS, hasOtherActivity }) => Number(hasOtherActivity && ageS >= OLD_WALLET_S),
  },
];

/** A term with its value and contribution. */
export interface ScoredTerm {
  readonly name: ScoreTermName;
  readonly feature: string;
  readonly why: string;
  /** Null while there are too few observations. */
  readonly value: number | null;
  readonly from: number;
  readonly to: number;
  /** The weight applied: the higher one for a saturated habit that suffices. */
  readonly weight: number;
  /** Weight times ramp: what it adds to the logit. */
  readonly contribution: number;
}

/** The logit of p, which is sufficient to classify a wallet. */
export function logitOf(features: WalletFeatures): number {
  let logit = BASE_LOGIT;
  for (const term of SCORE_TERMS) {
    const x = ramp(term, term.value(features));
    if (x !== 0) logit += weightOf(term, x, features) * x;
  }
  return logit;
}

/** p, between 0 and 1. */
export function scoreOf(logit: number): number {
  return 1 / (1 + Math.exp(-logit));
}

export function scoredTerms(features: WalletFeatures): ScoredTerm[] {
  return SCORE_TERMS.map((term) => {
    const { name, feature, why, from, to } = term;
    const value = term.value(features);
    const x = ramp(term, value);
    const weight = weightOf(term, x, features);
    const contribution = x === 0 ? 0 : weight * x;
    return { name, feature, why, value, from, to, weight, contribution };
  });
}

function weightOf(term: ScoreTerm, x: number, features: WalletFeatures): number {
  const isSaturated = x === 1 && (term.observations?.(features) ?? 0) >= SATURATED_MIN;
  return isSaturated ? SATURATED_WEIGHT : term.weight;
}

function ramp({ from, to }: ScoreTerm, value: number | null): number {
  return value === null ? 0 : Math.min(1, Math.max(0, (value - from) / (to - from)));
}

function share(part: number, whole: number, wholeMin: number): number | null {
  return whole < wholeMin ? null : part / whole;
}
