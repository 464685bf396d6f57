/**
 * GET /v1/coverage: which part of the chain is stored and how much of it is decoded (extension of
 * CONTRACT §2).
 */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { ApiDeps } from '../deps.ts';
import { CoverageBody } from '../present/coverage-body.ts';
import { setFreshness } from '../present/freshness.ts';
import { errors } from '../schemas/error-responses.ts';

const schema = {
  operationId: 'getCoverage',
  summary: 'Coverage',
  description:
    'Returns which part of the chain is stored, and how much of it the decoders understood.',
  tags: ['operations'],
  response: { 200: CoverageBody.schema, ...errors({}) },
};

export const coverageRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/v1/coverage', { schema }, async (_, reply) => {
      const coverage = await deps.chain.coverage();
      setFreshness(reply, deps);
      return CoverageBody.present({ ...coverage, simulation: deps.simulation });
    });
  };
