/** GET /v1/signals/statistics: how signals did (specification 2.6 and 4.9, CONTRACT §2.6). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import type { ApiDeps } from '../../deps.ts';
import { setFreshness } from '../../present/freshness.ts';
import { presentStatistics } from '../../present/present-signal-statistics.ts';
import { REVERSED_RANGE, resolveSignalRange, SIGNAL_RANGE } from '../../requests/signal-range.ts';
import { badRequest, busy, COMMON_ERRORS, unprocessable } from '../../schemas/error-responses.ts';
import { SignalStatisticsBody } from '../../schemas/signal-statistics-body.ts';

const schema = {
  operationId: 'getSignalStatistics',
  summary: 'Statistics of signals',
  description:
    'Over all signals of a span of time, outcomes as of now. roi and drawdown are those of the ' +
    'highest price since each signal, at which nobody can be sure to sell: execution_statistics say ' +
    'what could be realised after all costs, beside random minutes of tokens alike.',
  tags: ['signals'],
  querystring: Type.Object(SIGNAL_RANGE),
  response: {
    200: SignalStatisticsBody,
    ...COMMON_ERRORS,
    ...badRequest('from_date is required.'),
    ...unprocessable(REVERSED_RANGE),
    ...busy(),
  },
};

export const signalStatisticsRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/v1/signals/statistics', { schema }, async (request, reply) => {
      const { query, echo } = resolveSignalRange(request.query, deps);
      setFreshness(reply, deps, { fromMs: query.fromMs, toMs: query.toMs });
      const { statistics, execution } = await deps.signals.statistics(query);
      return { ...echo, ...presentStatistics(statistics, execution) };
    });
  };
