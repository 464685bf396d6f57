/** POST /v1/batch/fraud: reported fraud findings of several tokens (CONTRACT §4). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { ApiDeps } from '../../deps.ts';
import { OVER_BURST_EXAMPLE } from '../../http/request-charge.ts';
import { BatchBody, presentBatch } from '../../present/batch-body.ts';
import { earliestSlot, setFreshness } from '../../present/freshness.ts';
import { FraudCheckBody, presentCheck } from '../../present/present-classification.ts';
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
  operationId: 'batchFraud',
  summary: 'Check several tokens for fraud',
  description: `Returns for each token what /v1/fraud/check does. ${BATCH_RULES}`,
  tags: ['fraud'],
  body: BatchRequest('Mint addresses.', EXAMPLE.mint),
  response: {
    200: BatchBody(FraudCheckBody, { address: EXAMPLE.mint }),
    ...writeErrors('read', { 400: INVALID_ADDRESS_EXAMPLE, 422: OVER_BURST_EXAMPLE }),
  },
};

export const batchFraudRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const options = { schema, preHandler: chargeBatch };
    app.post('/v1/batch/fraud', options, async (request, reply) => {
      const addresses = distinct(request.body.addresses);
      const tokens = await deps.batches.tokenRecords(addresses);
      const known = addresses.filter((_, index) => tokens[index] !== null);
      const read = known.length === 0 ? null : await deps.batches.fraudChecks(known);
      const fromSlot = earliestSlot(tokens.map((token) => token?.creationSlot ?? null));
      setFreshness(reply, deps, { fromSlot, isStored: true }, read);
      const checks = new Map(known.map((mint, index) => [mint, read?.data[index] ?? []]));
      const found = addresses.map((mint) => checks.get(mint) ?? null);
      return presentBatch(addresses, found, (judged, mint) => presentCheck(mint, judged));
    });
  };
