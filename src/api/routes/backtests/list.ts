/** GET /v1/backtests: the backtests of the account (decision 0092). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { ApiDeps } from '../../deps.ts';
import { keyOf } from '../../http/admission.ts';
import { BacktestBody, BacktestListBody } from '../../present/backtest-body.ts';
import { errors } from '../../schemas/error-responses.ts';

const schema = {
  operationId: 'listBacktests',
  summary: 'List backtests',
  description:
    'Returns the backtests of the account, newest first, without their reports. Of those that ' +
    'have ended, the newest 100 are kept.',
  tags: ['backtests'],
  response: { 200: BacktestListBody, ...errors({}) },
};

const OPTIONS = { schema, config: { access: 'own alerts' } } as const;

export const listBacktestsRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/v1/backtests', OPTIONS, async (request) => {
      const jobs = await deps.backtests.list(keyOf(request).accountId);
      return { backtests: jobs.map((job) => BacktestBody.present(job)) };
    });
  };
