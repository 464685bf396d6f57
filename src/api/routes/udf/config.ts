/** GET /udf/config and /udf/time: what charts ask first of a UDF data feed (CONTRACT §4). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import type { ApiDeps } from '../../deps.ts';
import { OFFERED_RESOLUTIONS } from '../../parameters/udf-resolution.ts';
import { udfErrors } from '../../schemas/error-responses.ts';

const CONFIG = {
  supported_resolutions: OFFERED_RESOLUTIONS,
  supports_search: true,
  supports_group_request: false,
  supports_marks: true,
  supports_timescale_marks: false,
  supports_time: true,
};

const configSchema = {
  operationId: 'getUdfConfig',
  summary: 'Settings of the data feed for charts',
  description:
    'The endpoints under /udf speak the UDF protocol of the TradingView charting library, with ' +
    'the candles of /v1/market/ohlc. They require the header X-API-Key like all others, so a ' +
    'chart needs a fetch function or a proxy that adds it. Errors have the common body, and s and errmsg besides, which charts read.',
  tags: ['charts'],
  response: {
    200: Type.Object(
      {
        supported_resolutions: Type.Array(Type.String()),
        supports_search: Type.Boolean(),
        supports_group_request: Type.Boolean(),
        supports_marks: Type.Boolean(),
        supports_timescale_marks: Type.Boolean(),
        supports_time: Type.Boolean(),
      },
      { description: 'The settings.', examples: [CONFIG] },
    ),
    ...udfErrors({}),
  },
};

const timeSchema = {
  operationId: 'getUdfTime',
  summary: 'Time of the data feed for charts',
  description: 'Returns the time of the server as a Unix time in seconds.',
  tags: ['charts'],
  response: {
    200: {
      description: 'The time.',
      content: { 'text/plain': { schema: Type.String({ examples: ['1736951528'] }) } },
    },
    ...udfErrors({}),
  },
};

export const udfConfigRoutes =
  ({ nowMs }: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/udf/config', { schema: configSchema }, async () => CONFIG);
    app.get('/udf/time', { schema: timeSchema }, async (_request, reply) =>
      reply.type('text/plain; charset=utf-8').send(String(Math.floor(nowMs() / 1_000))),
    );
  };
