import { type Static, Type } from 'typebox';
import { ApiError } from '../../model/errors.ts';
import { INTERVAL_MS } from '../parameters/candle-interval.ts';
import { HISTORY_INTERVALS, type HistoryInterval } from '../present/indicator-history-body.ts';
import { EXAMPLE } from '../schemas/examples.ts';
import { ChoiceParameter, Defaulted, EchoedInstantParameter } from '../schemas/parameters.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

export const REVERSED_HISTORY = 'from must be before to.';

/** Maximum range by interval. */
const RANGE_MAX_MS: Readonly<Record<HistoryInterval, number>> = {
  '1m': DAY_MS,
  '5m': 7 * DAY_MS,
  '15m': 14 * DAY_MS,
  '30m': 30 * DAY_MS,
  '1h': 90 * DAY_MS,
  '4h': 180 * DAY_MS,
  '1d': 365 * DAY_MS,
};

/** Parameters of routes that return figures over time. */
export const HISTORY_PARAMETERS = {
  from: EchoedInstantParameter({
    description: 'Start of the range; the first bucket contains this time.',
    example: EXAMPLE.hourBefore,
  }),
  to: EchoedInstantParameter({
    description: 'End of the range, exclusive: buckets that start before this time.',
    example: EXAMPLE.instant,
  }),
  interval: Defaulted(
    ChoiceParameter(HISTORY_INTERVALS, {
      description:
        'Length of a bucket. Maximum range: 24 hours for 1m, 7 days for 5m, 14 for 15m, 30 for ' +
        '30m, 90 for 1h, 180 for 4h and 365 for 1d.',
      default: '1m',
      invalidStatus: 422,
    }),
  ),
};

const Parameters = Type.Object(HISTORY_PARAMETERS);

/** Whole buckets of a range, in Unix milliseconds. */
export interface HistoryRange {
  /** A multiple of the interval. */
  readonly fromMs: number;
  /** Exclusive. */
  readonly toMs: number;
  readonly intervalMs: number;
  /** The last figures are valid until this time. */
  readonly untilMs: number;
}

/** The buckets that a request covers. Throws 422 for a reversed range and for one that is too long. */
export function historyRange(
  { from, to, interval }: Static<typeof Parameters>,
  nowMs: number,
): HistoryRange {
  const [fromMs, toMs] = [from.timeMs, to.timeMs];
  if (fromMs >= toMs) throw new ApiError(422, REVERSED_HISTORY);
  const mostMs = RANGE_MAX_MS[interval];
  if (toMs - fromMs > mostMs) {
    const most = mostMs === DAY_MS ? '24 hours' : `${mostMs / DAY_MS} days`;
    throw new ApiError(422, `A range of ${interval} buckets is at most ${most}.`);
  }
  const intervalMs = INTERVAL_MS[interval];
  return {
    fromMs: Math.floor(fromMs / intervalMs) * intervalMs,
    toMs: Math.ceil(toMs / intervalMs) * intervalMs,
    intervalMs,
    untilMs: Math.floor(nowMs / MINUTE_MS) * MINUTE_MS,
  };
}
