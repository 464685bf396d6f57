/** GET /v1/pools/{pair_address}: one pool and its trades by window (CONTRACT §4). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ApiError } from '../../../model/errors.ts';
import type { ApiDeps } from '../../deps.ts';
import { setFreshness } from '../../present/freshness.ts';
import { POOL_DETAIL_EXAMPLE, PoolDetailItem } from '../../present/pool-detail-body.ts';
import { errors } from '../../schemas/error-responses.ts';
import { EXAMPLE } from '../../schemas/examples.ts';
import { AddressParameter } from '../../schemas/parameters.ts';
import { FRESHNESS_HEADERS } from '../../schemas/wire.ts';

const UNKNOWN_POOL = 'This pool is not known.';

const Body = Type.Object(PoolDetailItem.schema.properties, {
  description: 'The pool.',
  headers: FRESHNESS_HEADERS,
  examples: [POOL_DETAIL_EXAMPLE],
});

const schema = {
  operationId: 'getPool',
  summary: 'Get a pool',
  description:
    'Returns mints, reserves, price, liquidity and the trades of rolling windows of a pool. ' +
    'windows is null while the service starts (x-complete is then false).',
  tags: ['market'],
  params: Type.Object({
    pair_address: AddressParameter({ description: 'Pool address.', example: EXAMPLE.pool }),
  }),
  response: {
    200: Body,
    ...errors({
      400: 'pair_address must be the base58 text of a 32-byte address.',
      404: UNKNOWN_POOL,
    }),
  },
};

export const poolRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/v1/pools/:pair_address', { schema }, async (request, reply) => {
      const read = await deps.pools.listing(request.params.pair_address);
      const { data: found } = read;
      setFreshness(reply, deps, { fromSlot: found?.pool.createdSlot ?? null }, read);
      if (found === null) throw new ApiError(404, UNKNOWN_POOL);
      if (found.windows === null) reply.header('x-complete', 'false');
      return PoolDetailItem.present(found, { nowMs: read.timeMs });
    });
  };
