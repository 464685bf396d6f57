/** GET /v1/indicators/historic: the indicators of a pool over time (CONTRACT §2.2). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import { ApiError } from '../../../model/errors.ts';
import type { IndicatorBucket } from '../../../model/indicators.ts';
import type { ApiDeps, IndicatorQuery } from '../../deps.ts';
import { INTERVAL_MS } from '../../parameters/candle-interval.ts';
import { formatInstant, formatMaybeInstant } from '../../present/format-wire.ts';
import { setFreshness } from '../../present/freshness.ts';
import { FIGURE_NAMES, pickFigures } from '../../present/indicator-figures.ts';
import {
  HISTORY_FIELDS,
  HISTORY_INTERVALS,
  type HistoryField,
  type HistoryInterval,
  IndicatorHistoryBody,
} from '../../present/indicator-history-body.ts';
import { errors } from '../../schemas/error-responses.ts';
import { EXAMPLE } from '../../schemas/examples.ts';
import {
  AddressParameter,
  ChoiceParameter,
  Defaulted,
  EchoedInstantParameter,
  ListParameter,
} from '../../schemas/parameters.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

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

const Query = Type.Object({
  pair_address: AddressParameter({ description: 'Pool address.', example: EXAMPLE.pool }),
  from: EchoedInstantParameter({
    description: 'Start of the range; the first bucket contains this time.',
  }),
  to: EchoedInstantParameter({
    description: 'End of the range, exclusive: buckets that start before this time.',
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
  fields: Type.Optional(
    ListParameter(HISTORY_FIELDS, {
      description: 'Fields to return in addition to created_at. Defaults to all fields.',
    }),
  ),
});

const schema = {
  operationId: 'getHistoricIndicators',
  summary: 'Retrieve the indicators of a pool over time',
  description:
    'Returns one data point for each bucket in which the pool was traded. Counts, price and ' +
    'ten-minute flows are as of the end of the bucket; volumes are the volume within the ' +
    'bucket; ratios, scores and mean durations are time-weighted means. created_at is the ' +
    'start of the bucket, updated_at the time of its last slot. Buckets without a trade are ' +
    'omitted.',
  tags: ['indicators'],
  querystring: Query,
  response: {
    200: IndicatorHistoryBody,
    ...errors({
      400: 'pair_address is required.',
      404: 'This pool is not known.',
      422: 'from must be before to.',
    }),
  },
};

export const historicIndicatorsRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/v1/indicators/historic', { schema }, async (request, reply) => {
      const { query } = request;
      const nowMs = deps.chain.freshness({ isStored: true }).timeMs ?? deps.nowMs();
      const asked = toQuery(query, nowMs);
      setFreshness(reply, deps, { fromMs: asked.fromMs, toMs: asked.toMs, isStored: true });
      const pool = await deps.pools.find(query.pair_address);
      if (pool === null) throw new ApiError(404, 'This pool is not known.');
      const buckets = await deps.indicators.history(asked);
      const present = presenterOf(query.fields ?? HISTORY_FIELDS);
      return {
        pair_address: query.pair_address,
        from: query.from.text,
        to: query.to.text,
        interval: query.interval,
        count: buckets.length,
        indicators: buckets.map(present),
      };
    });
  };

function toQuery(query: Static<typeof Query>, nowMs: number): IndicatorQuery {
  const fromMs = query.from.timeMs;
  const toMs = query.to.timeMs;
  if (fromMs >= toMs) throw new ApiError(422, 'from must be before to.');
  const mostMs = RANGE_MAX_MS[query.interval];
  if (toMs - fromMs > mostMs) {
    const most = mostMs === DAY_MS ? '24 hours' : `${mostMs / DAY_MS} days`;
    throw new ApiError(422, `A range of ${query.interval} buckets is at most ${most}.`);
  }
  const intervalMs = INTERVAL_MS[query.interval];
  return {
    pool: query.pair_address,
    fromMs: Math.floor(fromMs / intervalMs) * intervalMs,
    toMs: Math.ceil(toMs / intervalMs) * intervalMs,
    intervalMs,
    untilMs: Math.floor(nowMs / MINUTE_MS) * MINUTE_MS,
  };
}

type Point = Static<typeof IndicatorHistoryBody>['indicators'][number];

function presenterOf(fields: readonly HistoryField[]): (bucket: IndicatorBucket) => Point {
  const asked = new Set<string>(fields);
  const figures = FIGURE_NAMES.filter((name) => asked.has(name));
  return ({ openMs, record }) => ({
    ...(asked.has('pair_address') && { pair_address: record.pool }),
    ...(asked.has('token_address') && { token_address: record.baseMint }),
    ...pickFigures(record, figures),
    created_at: formatInstant(openMs),
    ...(asked.has('updated_at') && { updated_at: formatMaybeInstant(record.createdAtMs) }),
  });
}
