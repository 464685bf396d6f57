/** GET /metrics: metrics in the Prometheus text format (CONTRACT §1). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import type { ApiDeps } from '../deps.ts';
import { OPERATOR_ERRORS, TRY_AGAIN, unavailable } from '../schemas/error-responses.ts';

const schema = {
  operationId: 'getMetrics',
  summary: 'Metrics',
  description: 'Metrics in the Prometheus text format. No key is required on the same machine.',
  tags: ['operations'],
  response: {
    200: {
      description: 'The metrics.',
      content: {
        'text/plain': {
          schema: Type.String({ examples: ['mintscope_http_requests_total 1'] }),
        },
      },
    },
    ...OPERATOR_ERRORS,
    ...unavailable(TRY_AGAIN),
  },
};

export const metricsRoute =
  ({ metrics }: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/metrics', { schema, config: { access: 'operator' } }, async (_request, reply) => {
      const text = await metrics.render();
      return reply.type(metrics.contentType).send(text);
    });
  };
