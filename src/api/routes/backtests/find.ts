/** GET /v1/backtests/{id}: a backtest with its report (decision 0092). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { ApiError } from '../../../model/errors.ts';
import type { ApiDeps } from '../../deps.ts';
import { keyOf } from '../../http/admission.ts';
import { BacktestBody } from '../../present/backtest-body.ts';
import { BacktestPath, UNKNOWN_BACKTEST } from '../../schemas/backtest-path.ts';
import { errors } from '../../schemas/error-responses.ts';

const schema = {
  operationId: 'getBacktest',
  summary: 'Retrieve a backtest',
  description: 'Returns a backtest of the account, with its report once it is done.',
  tags: ['backtests'],
  params: BacktestPath,
  response: {
    200: BacktestBody.schema,
    ...errors({ 400: 'id must be a UUID.', 404: UNKNOWN_BACKTEST }),
  },
};

const OPTIONS = { schema, config: { access: 'own alerts' } } as const;

export const backtestRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/v1/backtests/:id', OPTIONS, async (request) => {
      const job = await deps.backtests.find(keyOf(request).accountId, request.params.id);
      if (job === null) throw new ApiError(404, UNKNOWN_BACKTEST);
      return BacktestBody.present(job);
    });
  };
