import { ApiError } from '../../model/errors.ts';

/** A range of whole buckets: both ends are multiples of the interval. */
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
 * Aligns the requested range to whole buckets: from the candle that contains the start, to the last
 * candle that opens before the end. Without an end, the last bucket is that of `nowMs`; without a
 * start, there are 500 buckets. Throws 422 if the start is not before the end, or for more than
 * 10,000 buckets.
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
