/** DELETE /v1/backtests/{id}: cancels a backtest (decision 0092). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { ApiError } from '../../../model/errors.ts';
import type { ApiDeps } from '../../deps.ts';
import { keyOf } from '../../http/admission.ts';
import { BacktestBody } from '../../present/backtest-body.ts';
import { allowEmptyBody } from '../../requests/allow-empty-body.ts';
import { BacktestPath, UNKNOWN_BACKTEST } from '../../schemas/backtest-path.ts';
import { writeErrors } from '../../schemas/error-responses.ts';

const ACCESS = 'triggers:write';

const schema = {
  operationId: 'cancelBacktest',
  summary: 'Cancel a backtest',
  description: 'Ends a backtest that is queued or running. One that has ended stays as it is.',
  tags: ['backtests'],
  params: BacktestPath,
  response: {
    200: BacktestBody.schema,
    ...writeErrors(ACCESS, { 400: 'id must be a UUID.', 404: UNKNOWN_BACKTEST }),
  },
};

export const cancelBacktestRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    allowEmptyBody(app);
    const options = { schema, config: { access: ACCESS } } as const;
    app.delete('/v1/backtests/:id', options, async (request) => {
      const job = await deps.backtests.cancel(keyOf(request).accountId, request.params.id);
      if (job === null) throw new ApiError(404, UNKNOWN_BACKTEST);
      return BacktestBody.present(job);
    });
  };
