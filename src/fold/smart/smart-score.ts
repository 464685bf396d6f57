/**
 * The quality of a wallet's trading, from its closed episodes (METHODS §2.6). Every part of the
 * score lies in [0, 1] and can be shown with it.
 */

/** Sums over a wallet's counted episodes, each weighted by its age. */
export interface EpisodeSums {
  /** Episodes, and winning episodes: both are sums of weights, hence not integers. */
  readonly count: number;
  readonly wins: number;
  /** Sum of the episodes' returns, as natural logarithms. */
  readonly returns: number;
  /** Realised profit in USD, and the profit of the most profitable episode. */
  readonly profitUsd: number;
  readonly topProfitUsd: number;
}

/** A score and its parts. */
export interface SmartScore {
  /** 0 to 100. */
  readonly score: number;
  /** Lower confidence bound of the share of episodes won. */
  readonly winRateBound: number;
  /** Mean return, shrunk towards 0 when there are few episodes. */
  readonly shrunkReturn: number;
  /** Share of the profit made by one episode; above `CONCENTRATION.low` it lowers the score. */
  readonly concentration: number;
  readonly winPart: number;
  readonly returnPart: number;
  readonly profitPart: number;
  readonly concentrationFactor: number;
}

/** Prior of three wins and seven losses, because most traders lose. */
const PRIOR_WINS = 3;
const PRIOR_LOSSES = 7;
/** The one-sided 90 % quantile of the normal distribution. */
const BOUND_DEVIATIONS = 1.2816;
const WIN_RATE = { low: 0.3, high: 0.7 };
/** Number of prior episodes with return 0. */
const RETURN_SHRINKAGE = 10;
/** The mean return that gives the full part: e^0.5 is a gain of 65 %. */
const FULL_RETURN = 0.5;
/** Decimal logarithms of the profits at which the part is 0 and 1. */
const PROFIT_LOG10 = { low: 3, high: 5 };
const CONCENTRATION = { low: 0.5, high: 0.9 };
const WEIGHTS = { win: 0.45, return: 0.35, profit: 0.2 };

export function smartScore(sums: EpisodeSums): SmartScore {
  const { count, wins, returns, profitUsd, topProfitUsd } = sums;
  const winRateBound = lowerWinRate(count, wins);
  const shrunkReturn = returns / (count + RETURN_SHRINKAGE);
  const concentration = topProfitUsd / Math.max(profitUsd, 1);
  const winPart = ramp(winRateBound, WIN_RATE.low, WIN_RATE.high);
  const returnPart = ramp(shrunkReturn, 0, FULL_RETURN);
  const profitPart = ramp(Math.log10(Math.max(profitUsd, 1)), PROFIT_LOG10.low, PROFIT_LOG10.high);
  const concentrationFactor = 1 - ramp(concentration, CONCENTRATION.low, CONCENTRATION.high);
  const merit = WEIGHTS.win * winPart + WEIGHTS.return * returnPart + WEIGHTS.profit * profitPart;
  return {
    score: 100 * merit * concentrationFactor,
    winRateBound,
    shrunkReturn,
    concentration,
    winPart,
    returnPart,
    profitPart,
    concentrationFactor,
  };
}

/** One part of the merit, before concentration lowers it. */
export interface SmartTerm {
  readonly term: 'win_rate' | 'mean_return' | 'profit';
  readonly feature: string;
  readonly value: number;
  /** The part is 0 at `from` and 1 at `to`. */
  readonly from: number;
  readonly to: number;
  /** Points of the score, out of 100. */
  readonly weight: number;
  readonly contribution: number;
}

/** The parts of a score with what they are made of; their sum times the factor is the score. */
export function smartTerms(score: SmartScore, { profitUsd }: EpisodeSums): readonly SmartTerm[] {
  const { win, return: returns, profit } = WEIGHTS;
  return [
    {
      term: 'win_rate',
      feature: 'lower 90 % confidence bound of the share of closed positions won',
      value: score.winRateBound,
      from: WIN_RATE.low,
      to: WIN_RATE.high,
      ...points(win, score.winPart),
    },
    {
      term: 'mean_return',
      feature: 'mean return as a natural logarithm, shrunk towards 0',
      value: score.shrunkReturn,
      from: 0,
      to: FULL_RETURN,
      ...points(returns, score.returnPart),
    },
    {
      term: 'profit',
      feature: 'realised profit in US dollars, on a logarithmic scale',
      value: profitUsd,
      from: 10 ** PROFIT_LOG10.low,
      to: 10 ** PROFIT_LOG10.high,
      ...points(profit, score.profitPart),
    },
  ];
}

function points(share: number, part: number) {
  return { weight: 100 * share, contribution: 100 * share * part };
}

/** Mean less 1.2816 standard deviations of Beta(3 + wins, 7 + losses). */
export function lowerWinRate(count: number, wins: number): number {
  const won = PRIOR_WINS + wins;
  const lost = PRIOR_LOSSES + count - wins;
  const total = won + lost;
  const deviation = Math.sqrt((won * lost) / (total * total * (total + 1)));
  return won / total - BOUND_DEVIATIONS * deviation;
}

/** 0 up to `low`, 1 from `high` on, linear in between. */
function ramp(value: number, low: number, high: number): number {
  return Math.min(1, Math.max(0, (value - low) / (high - low)));
}
