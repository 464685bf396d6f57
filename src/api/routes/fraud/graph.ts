/** GET /v1/fraud/classifications/{id}/graph: the transactions behind a finding (CONTRACT §4). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { ApiError } from '../../../model/errors.ts';
import type { ApiDeps } from '../../deps.ts';
import { FindingGraphBody } from '../../present/finding-graph-body.ts';
import { setFreshness } from '../../present/freshness.ts';
import { ClassificationPath, UNKNOWN_CLASSIFICATION } from '../../schemas/classification-path.ts';
import { errors } from '../../schemas/error-responses.ts';

const schema = {
  operationId: 'getClassificationGraph',
  summary: 'Retrieve the graph of a classification',
  description:
    'Returns the wallets of a classification and what connects them: payments and token transfers ' +
    'between them, the first recorded payment to each, and their trades of the token, each with ' +
    'its transaction. Records are kept in full for a week after the last trade of a token; ' +
    'after that, transactions of the evidence are read from the log where their slot is known.',
  tags: ['fraud'],
  params: ClassificationPath,
  response: {
    200: FindingGraphBody.schema,
    ...errors({ 400: 'id must be a UUID.', 404: UNKNOWN_CLASSIFICATION }),
  },
};

export const classificationGraphRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/v1/fraud/classifications/:id/graph', { schema }, async (request, reply) => {
      const { id } = request.params;
      const read = await deps.fraud.graph(id);
      const slots = read.data?.edges.flatMap(({ slot }) => slot ?? []) ?? [];
      setFreshness(reply, deps, { fromSlot: slots[0] ?? null, isStored: true }, read);
      if (read.data === null) throw new ApiError(404, UNKNOWN_CLASSIFICATION);
      return FindingGraphBody.present(read.data, id);
    });
  };
