/** POST /v1/batch/prices: the prices of several tokens (CONTRACT §4). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { whenKnown } from '../../../lib/awaitable.ts';
import type { ApiDeps } from '../../deps.ts';
import { OVER_BURST_EXAMPLE } from '../../http/request-charge.ts';
import { BatchBody, presentBatch } from '../../present/batch-body.ts';
import { earliestSlot, setFreshness } from '../../present/freshness.ts';
import { PriceBody } from '../../present/price-body.ts';
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
  operationId: 'batchPrices',
  summary: 'Retrieve the prices of several tokens',
  description:
    'Returns the price and the market cap of each token, and the pool they are from. ' +
    BATCH_RULES,
  tags: ['tokens'],
  body: BatchRequest('Mint addresses.', EXAMPLE.mint),
  response: {
    200: BatchBody(PriceBody.schema, { address: EXAMPLE.mint }),
    ...writeErrors('read', { 400: INVALID_ADDRESS_EXAMPLE, 422: OVER_BURST_EXAMPLE }),
  },
};

export const batchPricesRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const options = { schema, preHandler: chargeBatch };
    app.post('/v1/batch/prices', options, (request, reply) => {
      const addresses = distinct(request.body.addresses);
      return whenKnown(deps.batches.pricedTokens(addresses), (found) => {
        const slots = found.map((one) => one?.token.creationSlot ?? null);
        setFreshness(reply, deps, { fromSlot: earliestSlot(slots) });
        return presentBatch(addresses, found, (one) => PriceBody.present(one));
      });
    });
  };
