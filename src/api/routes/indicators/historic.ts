/** GET /v1/indicators/historic: the indicators of a pool over time (CONTRACT §2.2). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import { ApiError } from '../../../model/errors.ts';
import type { IndicatorBucket } from '../../../model/indicators.ts';
import type { ApiDeps } from '../../deps.ts';
import { formatInstant, formatMaybeInstant } from '../../present/format-wire.ts';
import { setFreshness } from '../../present/freshness.ts';
import { FIGURE_NAMES, pickFigures } from '../../present/indicator-figures.ts';
import {
  HISTORY_FIELDS,
  type HistoryField,
  IndicatorHistoryBody,
} from '../../present/indicator-history-body.ts';
import {
  HISTORY_PARAMETERS,
  historyRange,
  REVERSED_HISTORY,
} from '../../requests/history-range.ts';
import { errors } from '../../schemas/error-responses.ts';
import { EXAMPLE } from '../../schemas/examples.ts';
import { AddressParameter, ListParameter } from '../../schemas/parameters.ts';

const Query = Type.Object({
  pair_address: AddressParameter({ description: 'Pool address.', example: EXAMPLE.pool }),
  ...HISTORY_PARAMETERS,
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
    'Returns one data point for each bucket in which the pool was traded. Counts, price, ' +
    'ten-minute flows and ratios of wallets are as of the end of the bucket; volumes are what was ' +
    'traded in the bucket, each trade by the class of its trader at the time, and the ratios of ' +
    'volume are those volumes; scores and mean durations are time-weighted means. created_at is the ' +
    'start of the bucket, updated_at the time of its last slot. Buckets without a trade are ' +
    'omitted.',
  tags: ['indicators'],
  querystring: Query,
  response: {
    200: IndicatorHistoryBody,
    ...errors({
      400: 'pair_address is required.',
      404: 'This pool is not known.',
      422: REVERSED_HISTORY,
    }),
  },
};

export const historicIndicatorsRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/v1/indicators/historic', { schema }, async (request, reply) => {
      const { query } = request;
      const nowMs = deps.chain.freshness({ isStored: true }).timeMs ?? deps.nowMs();
      const asked = { pool: query.pair_address, ...historyRange(query, nowMs) };
      const { fromMs, toMs } = asked;
      const pool = await deps.pools.find(query.pair_address);
      const read = pool === null ? null : await deps.indicators.history(asked);
      setFreshness(reply, deps, { fromMs, toMs, isStored: true }, read);
      if (read === null) throw new ApiError(404, 'This pool is not known.');
      const buckets = read.data;
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
