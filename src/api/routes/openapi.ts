/**
 * GET /openapi.json: the OpenAPI document, built from the schemas that validate requests (CONTRACT
 * §1).
 */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import type { ApiDeps } from '../deps.ts';
import { heldExamples } from '../present/held-examples.ts';
import { MALFORMED } from '../schemas/error-responses.ts';
import { EXAMPLE } from '../schemas/examples.ts';

const schema = {
  operationId: 'getOpenApi',
  summary: 'OpenAPI 3.1 document',
  description:
    'Returns the description of this API, from which clients can be generated. Its examples of ' +
    'parameters name tokens, pools and wallets that this service holds, where it holds any.',
  tags: ['operations'],
  security: [],
  response: {
    200: Type.Unsafe<string>({
      type: 'object',
      description: 'This document.',
      additionalProperties: true,
    }),
    ...MALFORMED,
  },
};

/** Examples are named anew this often; sooner while there are none, as after a start. */
const EXAMPLES_KEPT_MS = 600_000;
const NO_EXAMPLES_KEPT_MS = 5_000;

export const openApiRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    let text: Promise<string> | null = null;
    let keptUntilMs = Number.NEGATIVE_INFINITY;
    const make = async () => {
      const held = await heldExamples(deps);
      if (!held.has(EXAMPLE.mint)) keptUntilMs = deps.steadyNowMs() + NO_EXAMPLES_KEPT_MS;
      return JSON.stringify(app.swagger(), (_, value) => held.get(value) ?? value);
    };
    app.get('/openapi.json', { schema, config: { access: 'public' } }, async (_request, reply) => {
      const nowMs = deps.steadyNowMs();
      if (text === null || nowMs > keptUntilMs) {
        keptUntilMs = nowMs + EXAMPLES_KEPT_MS;
        text = make();
      }
      reply.type('application/json; charset=utf-8');
      return await text;
    });
  };
