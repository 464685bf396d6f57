/**
 * The merit of a wallet's trading, from its closed episodes: what it earned beyond luck. Returns
 * are compared with those of other people who bought at the same hour, age and market cap
 * (`EntryReturns`), because what a wallet earns in a rising market says nothing of its skill. The
 * merit only orders wallets; their score is the percentile (`PeerMerits`).
 */

/** Sums over a wallet's counted episodes, each weighted by its age. */
export interface EpisodeSums {
  /** Episodes, and winning episodes: both are sums of weights, hence not integers. */
  readonly count: number;
  readonly wins: number;
  /** Sum of the episodes' returns, as natural logarithms within ± 3. */
  readonly returns: number;
  /** Sums of the returns less the expected ones, and of their squares. */
  readonly excess: number;
  readonly excessSquares: number;
  /** Sums of profits and of losses in USD, both from 0. */
  readonly gainsUsd: number;
  readonly lossesUsd: number;
  /** The episode with the highest weighted excess: its excess and its weight. */
  readonly bestExcess: number;
  readonly bestWeight: number;
}

/** A merit and its parts. Returns are natural logarithms: 0.1 is 10.5 % a trade. */
export interface SmartMerit {
  readonly merit: number;
  /** Posterior mean of the return beyond luck. */
  readonly skillMean: number;
  /** Posterior standard deviation of a single episode's return beyond luck. */
  readonly skillDeviation: number;
  /** Lower 90 % bound of that mean, with all episodes and without the best one. */
  readonly skillBound: number;
  readonly boundWithoutBest: number;
  /** Natural logarithm of gains over losses, each with a prior. */
  readonly logProfitFactor: number;
}

/** The one-sided 90 % quantile of the normal distribution. */
const BOUND_DEVIATIONS = 1.2816;
/** Weight of the prior, in episodes: a wallet without any trades as well as others do. */
const PRIOR_EPISODES = 10;
/** Standard deviation of the prior, the spread of single returns in a market of memecoins. */
const PRIOR_DEVIATION = 1;
/** Episodes of average size that are added to gains and to losses. */
const PRIOR_RESULTS = 5;
const WEIGHTS = { bound: 0.25, withoutBest: 0.25, profitFactor: 0.5 } as const;

export function smartMerit(sums: EpisodeSums): SmartMerit {
  const all = posterior(sums);
  const boundWithoutBest = posterior(withoutBest(sums)).bound;
  const logProfitFactor = logProfitFactorOf(sums);
  return {
    merit:
      WEIGHTS.bound * all.bound +
      WEIGHTS.withoutBest * boundWithoutBest +
      WEIGHTS.profitFactor * logProfitFactor,
    skillMean: all.mean,
    skillDeviation: all.deviation,
    skillBound: all.bound,
    boundWithoutBest,
    logProfitFactor,
  };
}

/** One part of the merit. */
export interface SmartTerm {
  readonly term: 'skill_bound' | 'without_best' | 'profit_factor';
  readonly feature: string;
  readonly value: number;
  readonly weight: number;
  /** `weight` times `value`; the merit is the sum. */
  readonly contribution: number;
}

/** The parts of a merit; their contributions add up to it. */
export function smartTerms(merit: SmartMerit): readonly SmartTerm[] {
  return [
    {
      term: 'skill_bound',
      feature:
        'lower 90 % bound of the mean return beyond that of other people with similar purchases',
      ...weighted(WEIGHTS.bound, merit.skillBound),
    },
    {
      term: 'without_best',
      feature: 'the same bound without the best position',
      ...weighted(WEIGHTS.withoutBest, merit.boundWithoutBest),
    },
    {
      term: 'profit_factor',
      feature: 'natural logarithm of profits over losses, each plus five average results',
      ...weighted(WEIGHTS.profitFactor, merit.logProfitFactor),
    },
  ];
}

function weighted(weight: number, value: number) {
  return { value, weight, contribution: weight * value };
}

/**
 * Posterior of the mean of normal returns with unknown variance: a normal-inverse-gamma prior with
 * mean 0, `PRIOR_EPISODES` episodes and `PRIOR_DEVIATION`. The bound takes the normal quantile.
 */
function posterior({ count, excess, excessSquares }: Moments) {
  const weight = count + PRIOR_EPISODES;
  const mean = excess / weight;
  const squares = PRIOR_EPISODES * PRIOR_DEVIATION ** 2 + excessSquares - excess * mean;
  // Rounding may leave less than nothing of equal returns.
  const deviation = Math.sqrt(Math.max(0, squares) / weight);
  return { mean, deviation, bound: mean - (BOUND_DEVIATIONS * deviation) / Math.sqrt(weight) };
}

type Moments = Pick<EpisodeSums, 'count' | 'excess' | 'excessSquares'>;

function withoutBest({ bestExcess, bestWeight, ...sums }: EpisodeSums): Moments {
  return {
    count: Math.max(0, sums.count - bestWeight),
    excess: sums.excess - bestWeight * bestExcess,
    excessSquares: Math.max(0, sums.excessSquares - bestWeight * bestExcess ** 2),
  };
}

function logProfitFactorOf({ count, gainsUsd, lossesUsd }: EpisodeSums): number {
  const prior = (PRIOR_RESULTS * (gainsUsd + lossesUsd)) / count;
  return prior > 0 ? Math.log((gainsUsd + prior) / (lossesUsd + prior)) : 0;
}
