/** GET /v1/fraud/classifications/{id}: one finding with all inputs of its score (CONTRACT §2). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { ApiError } from '../../../model/errors.ts';
import type { ApiDeps } from '../../deps.ts';
import { setFreshness } from '../../present/freshness.ts';
import { ClassificationDetailBody, presentDetail } from '../../present/present-classification.ts';
import { ClassificationPath, UNKNOWN_CLASSIFICATION } from '../../schemas/classification-path.ts';
import { errors } from '../../schemas/error-responses.ts';

const schema = {
  operationId: 'getClassification',
  summary: 'Retrieve a classification',
  description:
    'Returns the current state of a classification, in any status and of any confidence: every ' +
    'feature with its measured value, threshold, weight and contribution, the confidence ' +
    'without that feature, and all reviews. Classifications reverted by a fork are not found.',
  tags: ['fraud'],
  params: ClassificationPath,
  response: {
    200: ClassificationDetailBody,
    ...errors({ 400: 'id must be a UUID.', 404: UNKNOWN_CLASSIFICATION }),
  },
};

export const classificationRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/v1/fraud/classifications/:id', { schema }, async (request, reply) => {
      const read = await deps.fraud.find(request.params.id);
      const detail = read.data;
      const fromSlot = detail?.classification.finding.patternStartSlot ?? null;
      setFreshness(reply, deps, { fromSlot, isStored: true }, read);
      if (detail === null) throw new ApiError(404, UNKNOWN_CLASSIFICATION);
      return presentDetail(detail);
    });
  };
