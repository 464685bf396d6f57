/** POST /v1/batch/pools: several pools and their trades by window (CONTRACT §4). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { ApiDeps } from '../../deps.ts';
import { OVER_BURST_EXAMPLE } from '../../http/request-charge.ts';
import { BatchBody, presentBatch } from '../../present/batch-body.ts';
import { earliestSlot, setFreshness } from '../../present/freshness.ts';
import { POOL_EXAMPLE, PoolItem } from '../../present/pool-body.ts';
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
  operationId: 'batchPools',
  summary: 'Retrieve several pools',
  description: `Returns for each pool what /v1/pools/{pair_address} does. ${BATCH_RULES}`,
  tags: ['market'],
  body: BatchRequest('Pool addresses.', EXAMPLE.pool),
  response: {
    200: BatchBody(PoolItem.schema, { address: EXAMPLE.pool, data: POOL_EXAMPLE }),
    ...writeErrors('read', { 400: INVALID_ADDRESS_EXAMPLE, 422: OVER_BURST_EXAMPLE }),
  },
};

export const batchPoolsRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const options = { schema, preHandler: chargeBatch };
    app.post('/v1/batch/pools', options, async (request, reply) => {
      const addresses = distinct(request.body.addresses);
      const read = await deps.batches.pools(addresses);
      const { data: found, timeMs: nowMs } = read;
      const slots = found.map((one) => one?.pool.createdSlot ?? null);
      setFreshness(reply, deps, { fromSlot: earliestSlot(slots) }, read);
      if (found.some((one) => one?.windows === null)) reply.header('x-complete', 'false');
      return presentBatch(addresses, found, (one) => PoolItem.present(one, { nowMs }));
    });
  };
