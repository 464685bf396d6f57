/** GET /metrics: metrics in the Prometheus text format, or as OpenMetrics (CONTRACT §1). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import type { MetricsText } from '../deps.ts';
import { prefersOpenMetrics } from '../http/accepted-metrics.ts';
import { OPERATOR_ERRORS, TRY_AGAIN, unavailable } from '../schemas/error-responses.ts';

const schema = {
  operationId: 'getMetrics',
  summary: 'Metrics',
  description:
    'Metrics in the Prometheus text format. With traces (--otlp-endpoint), and if the request ' +
    'accepts it, in the OpenMetrics format, whose exemplars name traces. No key is required on the ' +
    'same machine.',
  tags: ['operations'],
  response: {
    200: {
      description: 'The metrics.',
      content: {
        'text/plain': {
          schema: Type.String({ examples: ['mintscope_http_requests_total 1'] }),
        },
        'application/openmetrics-text': {
          schema: Type.String({ examples: ['mintscope_http_requests_total 1\n# EOF'] }),
        },
      },
    },
    ...OPERATOR_ERRORS,
    ...unavailable(TRY_AGAIN),
  },
};

/** What is read of the metrics; a process without an API has it too. */
export type MetricsPage = Omit<MetricsText, 'observeRequest'>;

export const metricsRoute =
  ({ metrics }: { readonly metrics: MetricsPage }): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/metrics', { schema, config: { access: 'operator' } }, async (request, reply) => {
      const { openMetrics } = metrics;
      if (openMetrics !== undefined) reply.header('vary', 'Accept');
      const isOpen = openMetrics !== undefined && prefersOpenMetrics(request.headers.accept);
      const page = isOpen ? openMetrics : metrics;
      const text = await page.render();
      return reply.type(page.contentType).send(text);
    });
  };
