/**
 * GET /v1/wallets/{address}: holdings and classification of a wallet (extension of CONTRACT §2).
 */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ApiError } from '../../model/errors.ts';
import type { ApiDeps } from '../deps.ts';
import { setFreshness } from '../present/freshness.ts';
import { WalletBody } from '../present/wallet-body.ts';
import { errors } from '../schemas/error-responses.ts';
import { EXAMPLE } from '../schemas/examples.ts';
import { AddressParameter } from '../schemas/parameters.ts';

const UNKNOWN_WALLET = 'This wallet is not known.';

const schema = {
  operationId: 'getWallet',
  summary: 'Retrieve a wallet',
  description:
    'Returns positions with cost and results, the classification as organic or bot with its ' +
    'rule and score, the trading skill with its components, and the first funding. Every holder ' +
    'of a token has an answer; one that never traded has no automation and no skill.',
  tags: ['wallets'],
  params: Type.Object({
    address: AddressParameter({ description: 'Wallet address.', example: EXAMPLE.wallet }),
  }),
  response: {
    200: WalletBody.schema,
    ...errors({
      400: 'address must be the base58 text of a 32-byte address.',
      404: UNKNOWN_WALLET,
    }),
  },
};

export const walletRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/v1/wallets/:address', { schema }, async (request, reply) => {
      const read = await deps.wallets.find(request.params.address);
      const wallet = read.data;
      setFreshness(reply, deps, {}, read);
      if (wallet === null) throw new ApiError(404, UNKNOWN_WALLET);
      return WalletBody.present(wallet);
    });
  };
