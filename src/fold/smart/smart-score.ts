/**
 * How good a wallet's trading is, from what its closed episodes came to (METHODS §2.6). Every part
 * lies in [0, 1] and can be shown beside the score.
 */

/** Sums over a wallet's counted episodes, each weighted by its age. */
export interface EpisodeSums {
  /** Episodes, and those won: both are weights, hence not whole. */
  readonly count: number;
  readonly wins: number;
  /** Sum of the episodes' returns, as natural logarithms. */
  readonly returns: number;
  /** Realised profit in USD, and the part of the most profitable episode. */
  readonly profitUsd: number;
  readonly topProfitUsd: number;
}

/** The parts of a score and what each adds to it. */
export interface SmartScore {
  /** 0 to 100. */
  readonly score: number;
  /** Lower confidence bound of the share of episodes won. */
  readonly winRateBound: number;
  /** Mean return, drawn towards 0 as far as episodes are few. */
  readonly shrunkReturn: number;
  /** Share of the profit that one episode made; above `CONCENTRATION.low` it costs. */
  readonly concentration: number;
  readonly winPart: number;
  readonly returnPart: number;
  readonly profitPart: number;
  readonly concentrationFactor: number;
}

/** Three won and seven lost, before anything is known: most people lose. */
const PRIOR_WINS = 3;
const PRIOR_LOSSES = 7;
/** The one-sided 90 % quantile of the normal distribution. */
const BOUND_DEVIATIONS = 1.2816;
const WIN_RATE = { low: 0.3, high: 0.7 };
/** As many episodes of return 0 stand beside the wallet's own. */
const RETURN_SHRINKAGE = 10;
/** The mean return that counts whole: e^0.5 is 65 %. */
const FULL_RETURN = 0.5;
/** Decimal logarithms of the profit that counts nothing, and of that which counts whole. */
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

/** Mean less 1.2816 standard deviations of Beta(3 + wins, 7 + losses). */
export function lowerWinRate(count: number, wins: number): number {
  const won = PRIOR_WINS + wins;
  const lost = PRIOR_LOSSES + count - wins;
  const total = won + lost;
  const deviation = Math.sqrt((won * lost) / (total * total * (total + 1)));
  return won / total - BOUND_DEVIATIONS * deviation;
}

/** 0 up to `low`, 1 from `high` on, straight between. */
function ramp(value: number, low: number, high: number): number {
  return Math.min(1, Math.max(0, (value - low) / (high - low)));
}
