/** GET /v1/wallets/{address}/positions: all positions of a wallet (CONTRACT §4). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import type { ApiDeps } from '../deps.ts';
import { integerPart, pageCursor } from '../parameters/page-cursor.ts';
import { setFreshness } from '../present/freshness.ts';
import { WalletPositionsBody } from '../present/wallet-lists-body.ts';
import { errors } from '../schemas/error-responses.ts';
import {
  ChoiceParameter,
  CursorParameter,
  Defaulted,
  PageLimitParameter,
} from '../schemas/parameters.ts';
import { BAD_WALLET, WalletPath } from '../schemas/wallet-path.ts';

const CURSORS = pageCursor<number>({
  endpoint: 'wallet-positions',
  version: 1,
  toParts: (number) => [number],
  toPosition: ([part]) => integerPart(part),
});

const schema = {
  operationId: 'listWalletPositions',
  summary: 'List the positions of a wallet',
  description:
    'Returns every token that the wallet traded or received, in the order in which it first did, ' +
    'newest first, with cost and results at average cost. A page of open positions may be short ' +
    'although more follow. An address that never held a traded token has no positions.',
  tags: ['wallets'],
  params: WalletPath,
  querystring: Type.Object({
    status: Defaulted(
      ChoiceParameter(['all', 'open'], {
        description: 'open: only positions with tokens.',
        default: 'all',
        invalidStatus: 422,
      }),
    ),
    limit: PageLimitParameter,
    cursor: CursorParameter,
  }),
  response: {
    200: WalletPositionsBody.schema,
    ...errors({ 400: BAD_WALLET, 422: 'status must be one of all, open.' }),
  },
};

export const walletPositionsRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/v1/wallets/:address/positions', { schema }, async (request, reply) => {
      const { status, limit, cursor } = request.query;
      const wallet = request.params.address;
      const filters = { wallet, status };
      const before = CURSORS.read(cursor, filters);
      const query = { wallet, isOpen: status === 'open', before, limit };
      const read = await deps.wallets.positions(query);
      setFreshness(reply, deps, {}, read);
      const write = (next: number) => CURSORS.write(next, filters);
      return WalletPositionsBody.present(read.data, { wallet, write });
    });
  };
