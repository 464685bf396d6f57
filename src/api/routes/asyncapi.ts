/** GET /asyncapi.json: the AsyncAPI document of streams and webhooks (CONTRACT §4). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { MALFORMED } from '../schemas/error-responses.ts';

const schema = {
  operationId: 'getAsyncApi',
  summary: 'AsyncAPI 3 document',
  description:
    'Returns the description of the messages of streams and webhooks, built from the schemas that ' +
    'they are written with.',
  tags: ['operations'],
  security: [],
  response: {
    200: Type.Unsafe<string>({
      type: 'object',
      description: 'The document.',
      additionalProperties: true,
    }),
    ...MALFORMED,
  },
};

export const asyncApiRoute = (): FastifyPluginAsyncTypebox => async (app) => {
  app.get('/asyncapi.json', { schema, config: { access: 'public' } }, async (_request, reply) => {
    reply.type('application/json; charset=utf-8');
    return app.asyncApi();
  });
};
