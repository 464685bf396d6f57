/** GET /v1/wallets/{address}/trades: trades of a wallet (CONTRACT §4). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
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

const CURSORS = tradeCursor('wallet-trades');

const schema = {
  operationId: 'listWalletTrades',
  summary: 'List the trades of a wallet',
  description: `An address that never traded has no trades. ${TRADES_DESCRIPTION}`,
  tags: ['wallets'],
  params: Type.Object({
    address: AddressParameter({ description: 'Wallet address.', example: EXAMPLE.wallet }),
  }),
  querystring: Type.Object(TRADE_PARAMETERS),
  response: {
    200: TradesBody.schema,
    ...errors({
      400: 'address must be the base58 text of a 32-byte address.',
      422: REVERSED_TRADE_RANGE,
    }),
  },
};

export const walletTradesRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/v1/wallets/:address/trades', { schema }, async (request, reply) => {
      const subject = { mint: null, pool: null, wallet: request.params.address };
      const parameters = request.query;
      return listTrades(deps, reply, { subject, fromSlot: null, parameters, cursors: CURSORS });
    });
  };
