/** GET /v1/indicators/historic: the figures of one pool over time (CONTRACT §2.2). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import { ApiError } from '../../../model/errors.ts';
import type { IndicatorBucket } from '../../../model/indicators.ts';
import type { ApiDeps, IndicatorQuery } from '../../deps.ts';
import { INTERVAL_MS } from '../../parameters/candle-interval.ts';
import { formatInstant, formatMaybeInstant } from '../../present/format-wire.ts';
import { setFreshness } from '../../present/freshness.ts';
import { pickFigures } from '../../present/present-indicators.ts';
import {
  badRequest,
  busy,
  COMMON_ERRORS,
  notFound,
  unprocessable,
} from '../../schemas/error-responses.ts';
import { EXAMPLE } from '../../schemas/examples.ts';
import { FIGURE_NAMES } from '../../schemas/indicator-figures.ts';
import {
  HISTORY_FIELDS,
  HISTORY_INTERVALS,
  type HistoryField,
  type HistoryInterval,
  IndicatorHistoryBody,
} from '../../schemas/indicator-history-body.ts';
import {
  AddressParameter,
  ChoiceParameter,
  Defaulted,
  EchoedInstantParameter,
  ListParameter,
} from '../../schemas/parameters.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** The longest range of each interval. */
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
  from: EchoedInstantParameter({ description: 'The first bucket is the one this lies in.' }),
  to: EchoedInstantParameter({ description: 'Buckets that begin before this.' }),
  interval: Defaulted(
    ChoiceParameter(HISTORY_INTERVALS, {
      description:
        'Length of a bucket. Ranges are at most 24 h for 1m, 7 days for 5m, 14 for 15m, 30 for ' +
        '30m, 90 for 1h, 180 for 4h and 365 for 1d.',
      default: '1m',
      invalidStatus: 422,
    }),
  ),
  fields: Type.Optional(
    ListParameter(HISTORY_FIELDS, {
      description: 'What to answer beside created_at; everything when left out.',
    }),
  ),
});

const schema = {
  operationId: 'getHistoricIndicators',
  summary: 'Indicators of a pool over time',
  description:
    'Figures of each minute in which the pool was traded, or of longer buckets: counts, price and ' +
    'ten-minute flows as of the end of the bucket, volumes as what the bucket added, ratios, scores ' +
    'and mean seconds as their mean over time. created_at is the start of the bucket, updated_at ' +
    'the time of the last slot in it. Buckets without a trade are left out.',
  tags: ['indicators'],
  querystring: Query,
  response: {
    200: IndicatorHistoryBody,
    ...COMMON_ERRORS,
    ...badRequest('pair_address is required.'),
    ...notFound('This pool is not known.'),
    ...unprocessable('from must be before to.'),
    ...busy(),
  },
};

export const historicIndicatorsRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/v1/indicators/historic', { schema }, async (request, reply) => {
      const { query } = request;
      const nowMs = deps.chain.freshness().timeMs ?? deps.nowMs();
      const asked = toQuery(query, nowMs);
      setFreshness(reply, deps, { fromMs: asked.fromMs, toMs: asked.toMs });
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
