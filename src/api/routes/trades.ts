/** GET /v1/trades: trades of a token, a pool or a wallet (CONTRACT §4). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import { ApiError } from '../../model/errors.ts';
import type { Slot } from '../../model/units.ts';
import type { ApiDeps } from '../deps.ts';
import { tradeCursor } from '../parameters/list-cursors.ts';
import { TradesBody } from '../present/trade-body.ts';
import {
  listTrades,
  REVERSED_TRADE_RANGE,
  TRADE_PARAMETERS,
  TRADES_DESCRIPTION,
} from '../requests/trade-request.ts';
import { errors } from '../schemas/error-responses.ts';
import { EXAMPLE } from '../schemas/examples.ts';
import { AddressParameter } from '../schemas/parameters.ts';

const CURSORS = tradeCursor('trades');
const NO_SUBJECT = 'token_address, pair_address or wallet_address is required.';
const UNKNOWN_TOKEN = 'This token is not known.';

const Query = Type.Object({
  token_address: Type.Optional(
    AddressParameter({ description: 'Trades of this mint.', example: EXAMPLE.mint }),
  ),
  pair_address: Type.Optional(
    AddressParameter({ description: 'Trades on this pool.', example: EXAMPLE.pool }),
  ),
  wallet_address: Type.Optional(
    AddressParameter({ description: 'Trades of this wallet.', example: EXAMPLE.wallet }),
  ),
  ...TRADE_PARAMETERS,
});

const schema = {
  operationId: 'listTrades',
  summary: 'List trades',
  description:
    'At least one of token_address, pair_address and wallet_address is required; with several, ' +
    `trades match all of them. ${TRADES_DESCRIPTION}`,
  tags: ['market'],
  querystring: Query,
  response: {
    200: TradesBody.schema,
    ...errors({ 400: NO_SUBJECT, 404: UNKNOWN_TOKEN, 422: REVERSED_TRADE_RANGE }),
  },
};

export const tradesRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/v1/trades', { schema }, async (request, reply) => {
      const { query } = request;
      const subject = {
        mint: query.token_address ?? null,
        pool: query.pair_address ?? null,
        wallet: query.wallet_address ?? null,
      };
      if (Object.values(subject).every((address) => address === null)) {
        throw new ApiError(400, NO_SUBJECT);
      }
      const fromSlot = await firstSlotOf(deps, query);
      return listTrades(deps, reply, { subject, fromSlot, parameters: query, cursors: CURSORS });
    });
  };

/** The slot of the token's creation; null if unknown. Throws 404 for an unknown token or pool. */
async function firstSlotOf(
  { tokens, pools }: ApiDeps,
  { token_address: mint, pair_address: address }: Static<typeof Query>,
): Promise<Slot | null> {
  const token = mint === undefined ? null : await tokens.find(mint);
  if (mint !== undefined && token === null) throw new ApiError(404, UNKNOWN_TOKEN);
  if (address === undefined) return token?.creationSlot ?? null;
  const pool = await pools.find(address);
  if (pool === null) throw new ApiError(404, 'This pool is not known.');
  if (mint !== undefined && pool.baseMint !== mint) {
    throw new ApiError(404, 'This token has no such pool.');
  }
  return pool.createdSlot;
}
