/** GET /v1/pools/{pair_address}: one pool and its trades by window (CONTRACT §4). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ApiError } from '../../../model/errors.ts';
import { poolFiguresOf } from '../../../model/pool-figures.ts';
import type { ApiDeps } from '../../deps.ts';
import { setFreshness } from '../../present/freshness.ts';
import { POOL_EXAMPLE, PoolItem } from '../../present/pool-body.ts';
import { TriggerFigures } from '../../present/present-trigger.ts';
import { errors } from '../../schemas/error-responses.ts';
import { EXAMPLE } from '../../schemas/examples.ts';
import { AddressParameter } from '../../schemas/parameters.ts';
import { FRESHNESS_HEADERS } from '../../schemas/wire.ts';

const UNKNOWN_POOL = 'This pool is not known.';

const Body = Type.Object(
  {
    ...PoolItem.schema.properties,
    trigger_figures: {
      ...TriggerFigures.schema,
      description:
        'The figures that conditions of triggers compare, over the whole life of the pool.',
    },
  },
  {
    description: 'The pool.',
    headers: FRESHNESS_HEADERS,
    examples: [
      {
        ...POOL_EXAMPLE,
        trigger_figures: {
          pair_address: EXAMPLE.pool,
          token_address: EXAMPLE.mint,
          sol_amount: '85.512000000',
          token_amount: '206900000.000000',
          number_of_buys: 412,
          number_of_sells: 290,
          buy_volume_usd: '51207.11',
          sell_volume_usd: '38010.90',
          total_volume_usd: '89218.01',
          price_usd: '0.000346289',
        },
      },
    ],
  },
);

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
      return {
        ...PoolItem.present(found, { nowMs: read.timeMs }),
        trigger_figures: TriggerFigures.present(poolFiguresOf(found.pool)),
      };
    });
  };
