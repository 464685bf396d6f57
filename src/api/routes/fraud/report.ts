/** GET /v1/fraud/classifications/{id}/report: a finding as evidence of a report (decision 0092). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { ApiError } from '../../../model/errors.ts';
import type { ApiDeps } from '../../deps.ts';
import { FindingReportBody, presentReport } from '../../present/finding-report-body.ts';
import { setFreshness } from '../../present/freshness.ts';
import { ClassificationPath, UNKNOWN_CLASSIFICATION } from '../../schemas/classification-path.ts';
import { errors } from '../../schemas/error-responses.ts';

const schema = {
  operationId: 'getClassificationReport',
  summary: 'Retrieve a classification as evidence of a suspicious transaction report',
  description:
    'Returns a classification by the sections of the template for suspicious transactions and ' +
    'orders of Commission Delegated Regulation (EU) 2025/885, with its transactions, the commands ' +
    'that recompute it, and what it does not show. Fields that only the reporting person knows are ' +
    'null and listed in operator_fields. It is evidence for a report, not the report.',
  tags: ['fraud'],
  params: ClassificationPath,
  response: {
    200: FindingReportBody,
    ...errors({ 400: 'id must be a UUID.', 404: UNKNOWN_CLASSIFICATION }),
  },
};

export const classificationReportRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/v1/fraud/classifications/:id/report', { schema }, async (request, reply) => {
      const { id } = request.params;
      const [found, graph] = await Promise.all([deps.fraud.find(id), deps.fraud.graph(id)]);
      const finding = found.data?.classification.finding ?? null;
      const fromSlot = finding?.patternStartSlot ?? null;
      setFreshness(reply, deps, { fromSlot, isStored: true }, found);
      if (found.data === null || finding === null || graph.data === null) {
        throw new ApiError(404, UNKNOWN_CLASSIFICATION);
      }
      const token = await deps.tokens.find(finding.mint);
      const isSimulated = deps.simulation !== null;
      return presentReport({ detail: found.data, graph: graph.data, token, isSimulated });
    });
  };
