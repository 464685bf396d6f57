/** GET /v1/detectors: the detectors that judge tokens, built in and installed. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { ApiDeps } from '../deps.ts';
import { setFreshness } from '../present/freshness.ts';
import { DetectorsBody, presentDetector } from '../present/present-detector.ts';
import { errors } from '../schemas/error-responses.ts';

const schema = {
  operationId: 'listDetectors',
  summary: 'List detectors',
  description:
    'Returns the built-in detectors, whose judgements are findings, and those that the operator ' +
    'has installed, whose judgements are hits of kind fraud for all accounts. A detector in shadow ' +
    'mode is only compared with the built-in ones: nothing of it is published.',
  tags: ['fraud'],
  response: { 200: DetectorsBody, ...errors({}) },
};

export const detectorsRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/v1/detectors', { schema }, async (_request, reply) => {
      const read = await deps.detectors.list();
      setFreshness(reply, deps, { isStored: true }, read);
      return { detectors: read.data.map((one) => presentDetector(one, undefined)) };
    });
  };
