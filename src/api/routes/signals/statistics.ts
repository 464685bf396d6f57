/**
 * GET /v1/signals/statistics: performance of the signals (specification 2.6 and 4.9, CONTRACT
 * §2.6).
 */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import type { ApiDeps } from '../../deps.ts';
import { setFreshness } from '../../present/freshness.ts';
import {
  presentStatistics,
  SignalStatisticsBody,
} from '../../present/present-signal-statistics.ts';
import { REVERSED_RANGE, resolveSignalRange, SIGNAL_RANGE } from '../../requests/signal-range.ts';
import { errors } from '../../schemas/error-responses.ts';

const schema = {
  operationId: 'getSignalStatistics',
  summary: 'Retrieve signal statistics',
  description:
    'Returns statistics over all signals of a time range, with outcomes as of now. ROI and ' +
    'drawdown refer to the highest price since each signal, which no trader can be sure to ' +
    'sell at. execution_statistics contains the returns realisable after all costs, compared ' +
    'with those of random minutes of similar tokens.',
  tags: ['signals'],
  querystring: Type.Object(SIGNAL_RANGE),
  response: {
    200: SignalStatisticsBody,
    ...errors({ 400: 'from_date is required.', 422: REVERSED_RANGE }),
  },
};

export const signalStatisticsRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/v1/signals/statistics', { schema }, async (request, reply) => {
      const { query, echo } = resolveSignalRange(request.query, deps);
      const { fromMs, toMs } = query;
      const read = await deps.signals.statistics(query);
      setFreshness(reply, deps, { fromMs, toMs, isStored: true }, read);
      const { statistics, execution } = read.data;
      return { ...echo, ...presentStatistics(statistics, execution) };
    });
  };
