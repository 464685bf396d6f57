import { ApiError } from '../../model/errors.ts';

/** Whole buckets: both ends are multiples of the interval. */
export interface CandleRange {
  readonly fromMs: number;
  /** Exclusive. */
  readonly toMs: number;
}

export interface RangeRequest {
  readonly startMs: number | undefined;
  readonly endMs: number | undefined;
  readonly intervalMs: number;
  readonly nowMs: number;
}

export const CANDLES_DEFAULT = 500;
export const CANDLES_MAX = 10_000;

/**
 * Turns the asked-for times into whole buckets: every candle that opens before the end, from the
 * one the start lies in. Without an end the bucket of `nowMs` is the last; without a start there
 * are 500. Throws 422 for a start at or after the end, and for more than 10,000 buckets.
 */
export function resolveCandleRange({
  startMs,
  endMs,
  intervalMs,
  nowMs,
}: RangeRequest): CandleRange {
  const toMs =
    endMs === undefined
      ? (Math.floor(nowMs / intervalMs) + 1) * intervalMs
      : Math.ceil(endMs / intervalMs) * intervalMs;
  const fromMs =
    startMs === undefined
      ? toMs - CANDLES_DEFAULT * intervalMs
      : Math.floor(startMs / intervalMs) * intervalMs;
  if (startMs !== undefined && startMs >= (endMs ?? toMs)) {
    throw new ApiError(422, 'start must be before end.');
  }
  if ((toMs - fromMs) / intervalMs > CANDLES_MAX) {
    throw new ApiError(422, `The range holds more than ${CANDLES_MAX} candles of this interval.`);
  }
  return { fromMs, toMs };
}
