import { normalCdf, normalQuantile } from '../../lib/normal-distribution.ts';

const EULER_MASCHERONI = 0.577_215_664_901_532_9;

/** Moments of returns. */
export interface ReturnMoments {
  readonly count: number;
  /** Mean divided by the deviation; not annualised. */
  readonly sharpe: number;
  readonly skewness: number;
  /** 3 for a normal distribution. */
  readonly kurtosis: number;
}

/** Null for fewer than two returns, or returns that are all equal. */
export function momentsOf(returns: readonly number[]): ReturnMoments | null {
  const count = returns.length;
  const mean = returns.reduce((sum, one) => sum + one, 0) / count;
  const central = (power: number) =>
    returns.reduce((sum, one) => sum + (one - mean) ** power, 0) / count;
  const variance = central(2);
  if (count < 2 || variance === 0) return null;
  return {
    count,
    sharpe: mean / Math.sqrt((variance * count) / (count - 1)),
    skewness: central(3) / variance ** 1.5,
    kurtosis: central(4) / variance ** 2,
  };
}

/** The Sharpe ratio that the best of `tries` independent tries without any skill has on average. */
export function expectedMaximum(tries: number, variance: number): number {
  if (tries < 2) return 0;
  const best = normalQuantile(1 - 1 / tries);
  const next = normalQuantile(1 - 1 / (tries * Math.E));
  return Math.sqrt(variance) * ((1 - EULER_MASCHERONI) * best + EULER_MASCHERONI * next);
}

/**
 * The deflated Sharpe ratio: the probability that the true Sharpe ratio is above what the best of
 * as many tries without skill would have shown (Bailey and López de Prado, "The Deflated Sharpe
 * Ratio", Journal of Portfolio Management 40(5), 2014). `variance` is that of the ratios of the
 * tries.
 */
export function deflatedSharpe(moments: ReturnMoments, tries: number, variance: number): number {
  const { count, sharpe, skewness, kurtosis } = moments;
  const threshold = expectedMaximum(tries, variance);
  const spread = 1 - skewness * sharpe + ((kurtosis - 1) / 4) * sharpe ** 2;
  return normalCdf(((sharpe - threshold) * Math.sqrt(count - 1)) / Math.sqrt(spread));
}
