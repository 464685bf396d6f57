/** POST /v1/batch/indicators: the current indicators of several pools (CONTRACT §4). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { whenKnown } from '../../../lib/awaitable.ts';
import type { ApiDeps } from '../../deps.ts';
import { OVER_BURST_EXAMPLE } from '../../http/request-charge.ts';
import { BatchBody, presentBatch } from '../../present/batch-body.ts';
import { presentCurrentIndicators } from '../../present/current-indicators.ts';
import { earliestSlot, setFreshness } from '../../present/freshness.ts';
import { IndicatorsBody } from '../../present/indicators-body.ts';
import {
  BATCH_RULES,
  BatchRequest,
  chargeBatch,
  distinct,
  INVALID_ADDRESS_EXAMPLE,
} from '../../requests/batch-request.ts';
import { writeErrors } from '../../schemas/error-responses.ts';
import { EXAMPLE } from '../../schemas/examples.ts';

const schema = {
  operationId: 'batchIndicators',
  summary: 'Retrieve the current indicators of several pools',
  description: `Returns for each pool what /v1/indicators/current does. ${BATCH_RULES}`,
  tags: ['indicators'],
  body: BatchRequest('Pool addresses.', EXAMPLE.pool),
  response: {
    200: BatchBody(IndicatorsBody.schema, { address: EXAMPLE.pool }),
    ...writeErrors('read', { 400: INVALID_ADDRESS_EXAMPLE, 422: OVER_BURST_EXAMPLE }),
  },
};

export const batchIndicatorsRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const options = { schema, preHandler: chargeBatch };
    app.post('/v1/batch/indicators', options, (request, reply) => {
      const addresses = distinct(request.body.addresses);
      return whenKnown(deps.batches.indicators(addresses), (found) => {
        const slots = found.map((one) => one?.pool.createdSlot ?? null);
        const { timeMs } = setFreshness(reply, deps, { fromSlot: earliestSlot(slots) });
        return presentBatch(addresses, found, (one) => presentCurrentIndicators(deps, one, timeMs));
      });
    });
  };
