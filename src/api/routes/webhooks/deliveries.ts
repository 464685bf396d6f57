/** GET /v1/webhooks/{id}/deliveries: what was sent to a webhook and what became of it. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ApiError } from '../../../model/errors.ts';
import type { ApiDeps } from '../../deps.ts';
import { keyOf } from '../../http/admission.ts';
import { presentDelivery } from '../../present/present-webhook.ts';
import { badRequest, busy, COMMON_ERRORS, notFound } from '../../schemas/error-responses.ts';
import { Defaulted, IntegerParameter } from '../../schemas/parameters.ts';
import { DeliveryPageBody, UNKNOWN_WEBHOOK, WebhookPath } from '../../schemas/webhook-body.ts';

const schema = {
  operationId: 'listDeliveries',
  summary: 'The log of a webhook',
  description:
    'What waits, and what is over: the newest 1,000 of a week. Bodies are not shown; an event can be ' +
    'sent again by its id.',
  tags: ['webhooks'],
  params: WebhookPath,
  querystring: Type.Object({
    page: Defaulted(
      IntegerParameter({ description: 'Page, from 1.', minimum: 1, maximum: 20_000, default: 1 }),
    ),
    per_page: Defaulted(
      IntegerParameter({
        description: 'Deliveries a page.',
        minimum: 1,
        maximum: 100,
        default: 20,
      }),
    ),
  }),
  response: {
    200: DeliveryPageBody,
    ...COMMON_ERRORS,
    ...badRequest('id must be a UUID.'),
    ...notFound(UNKNOWN_WEBHOOK),
    ...busy(),
  },
};

export const deliveriesRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/v1/webhooks/:id/deliveries', { schema }, async (request) => {
      const { page, per_page: limit } = request.query;
      const name = { accountId: keyOf(request).accountId, webhookId: request.params.id };
      const found = await deps.webhooks.deliveries({ ...name, limit, offset: (page - 1) * limit });
      if (found === null) throw new ApiError(404, UNKNOWN_WEBHOOK);
      return {
        deliveries: found.deliveries.map((delivery) => presentDelivery(delivery)),
        total: found.total,
        page,
        per_page: limit,
        pages: Math.ceil(found.total / limit),
      };
    });
  };
