/** POST /v1/batch/wallets: holdings and classification of several wallets (CONTRACT §4). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { ApiDeps } from '../../deps.ts';
import { OVER_BURST_EXAMPLE } from '../../http/request-charge.ts';
import { BatchBody, presentBatch } from '../../present/batch-body.ts';
import { setFreshness } from '../../present/freshness.ts';
import { WalletBody } from '../../present/wallet-body.ts';
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
  operationId: 'batchWallets',
  summary: 'Retrieve several wallets',
  description: `Returns for each wallet what /v1/wallets/{address} does. ${BATCH_RULES}`,
  tags: ['wallets'],
  body: BatchRequest('Wallet addresses.', EXAMPLE.wallet),
  response: {
    200: BatchBody(WalletBody.schema, { address: EXAMPLE.wallet }),
    ...writeErrors('read', { 400: INVALID_ADDRESS_EXAMPLE, 422: OVER_BURST_EXAMPLE }),
  },
};

export const batchWalletsRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const options = { schema, preHandler: chargeBatch };
    app.post('/v1/batch/wallets', options, async (request, reply) => {
      const addresses = distinct(request.body.addresses);
      const read = await deps.batches.wallets(addresses);
      setFreshness(reply, deps, {}, read);
      return presentBatch(addresses, read.data, (wallet) => WalletBody.present(wallet));
    });
  };
