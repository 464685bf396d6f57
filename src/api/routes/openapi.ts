/**
 * GET /openapi.json: the OpenAPI document, built from the schemas that validate requests (CONTRACT
 * §1).
 */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';

const schema = {
  operationId: 'getOpenApi',
  summary: 'OpenAPI 3.1 document',
  tags: ['operations'],
  security: [],
  response: {
    200: Type.Unsafe<string>({
      type: 'object',
      description: 'This document.',
      additionalProperties: true,
    }),
  },
};

export const openApiRoute = (): FastifyPluginAsyncTypebox => async (app) => {
  let text: string | null = null;
  app.get('/openapi.json', { schema, config: { access: 'public' } }, (_request, reply) => {
    text ??= JSON.stringify(app.swagger());
    reply.type('application/json; charset=utf-8');
    return text;
  });
};
