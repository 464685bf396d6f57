/** GET /v1/pools: pools by token, venue and order (CONTRACT §4). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { POOL_FIGURES } from '../../../model/market-listing.ts';
import { DEX_NAME_OF_VENUE, type Venue } from '../../../model/program.ts';
import type { ApiDeps } from '../../deps.ts';
import { POOL_CURSOR } from '../../parameters/market-cursors.ts';
import { setListFreshness } from '../../present/freshness.ts';
import { POOL_EXAMPLE, PoolItem } from '../../present/pool-body.ts';
import { errors } from '../../schemas/error-responses.ts';
import { EXAMPLE } from '../../schemas/examples.ts';
import {
  AddressParameter,
  ChoiceParameter,
  CursorParameter,
  Defaulted,
  PageLimitParameter,
} from '../../schemas/parameters.ts';
import { FRESHNESS_HEADERS, Nullable } from '../../schemas/wire.ts';

const Query = Type.Object({
  token_address: Type.Optional(
    AddressParameter({ description: 'Pools of this mint.', example: EXAMPLE.mint }),
  ),
  venue: Type.Optional(
    ChoiceParameter(Object.keys(DEX_NAME_OF_VENUE) as Venue[], {
      description: 'Pools of this program.',
      invalidStatus: 422,
    }),
  ),
  order_by: Defaulted(
    ChoiceParameter(POOL_FIGURES, {
      description:
        'Sort field; newest is the time at which the pool was first seen. Pools without a value ' +
        'come last in both directions.',
      default: 'newest',
    }),
  ),
  order_dir: Defaulted(
    ChoiceParameter(['asc', 'desc'], { description: 'Sort direction.', default: 'desc' }),
  ),
  limit: PageLimitParameter,
  cursor: CursorParameter,
});

const Body = Type.Object(
  {
    items: Type.Array(PoolItem.schema),
    total: Type.Integer({ description: 'Number of items across all pages.' }),
    next_cursor: Nullable(
      Type.String({ description: 'Cursor of the next page; null on the last page.' }),
    ),
  },
  {
    description: 'One page of pools.',
    headers: FRESHNESS_HEADERS,
    examples: [{ items: [POOL_EXAMPLE], total: 1, next_cursor: null }],
  },
);

const schema = {
  operationId: 'listPools',
  summary: 'List pools',
  description:
    'Returns the pools of a token, of a venue, or all, in the requested order; ties are ordered ' +
    'by address. A cursor is a position in the order, so that a pool whose figure does not change ' +
    'is neither repeated nor left out while others move. 503 while the service starts and ' +
    'computes the windows.',
  tags: ['market'],
  querystring: Query,
  response: {
    200: Body,
    ...errors({
      400: 'limit must be a whole number from 1 to 500.',
      422: 'venue must be a known program.',
    }),
  },
};

export const poolsRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/v1/pools', { schema }, async (request, reply) => {
      const { token_address, venue, order_by, order_dir, limit, cursor } = request.query;
      const filter = { mint: token_address ?? null, venue: venue ?? null };
      const filters = { ...filter, order_by, order_dir };
      const after = POOL_CURSOR.read(cursor, filters);
      const order = { orderBy: order_by, orderDir: order_dir };
      const read = await deps.pools.list({ ...filter, ...order, after, limit });
      const { items, total, next } = read.data;
      setListFreshness(reply, deps, read);
      return {
        items: items.map((item) => PoolItem.present(item, { nowMs: read.timeMs })),
        total,
        next_cursor: next && POOL_CURSOR.write(next, filters),
      };
    });
  };
