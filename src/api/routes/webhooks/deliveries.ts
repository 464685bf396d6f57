/** GET /v1/webhooks/{id}/deliveries: the delivery log of a webhook. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ApiError } from '../../../model/errors.ts';
import type { ApiDeps } from '../../deps.ts';
import { keyOf } from '../../http/admission.ts';
import { presentPage } from '../../present/page.ts';
import { DeliveryPageBody, presentDelivery } from '../../present/present-webhook.ts';
import { errors } from '../../schemas/error-responses.ts';
import { Defaulted, IntegerParameter } from '../../schemas/parameters.ts';
import { UNKNOWN_WEBHOOK, WebhookPath } from '../../schemas/webhook-body.ts';

const schema = {
  operationId: 'listDeliveries',
  summary: 'List the deliveries of a webhook',
  description:
    'Returns pending deliveries, and the newest 1,000 finished ones of the last week. Event ' +
    'bodies are not included. An event can be redelivered by its ID.',
  tags: ['webhooks'],
  params: WebhookPath,
  querystring: Type.Object({
    page: Defaulted(
      IntegerParameter({
        description: 'Page number, starting at 1.',
        minimum: 1,
        maximum: 20_000,
        default: 1,
      }),
    ),
    per_page: Defaulted(
      IntegerParameter({
        description: 'Number of deliveries per page.',
        minimum: 1,
        maximum: 100,
        default: 20,
      }),
    ),
  }),
  response: {
    200: DeliveryPageBody,
    ...errors({ 400: 'id must be a UUID.', 404: UNKNOWN_WEBHOOK }),
  },
};

const OPTIONS = { schema, config: { access: 'own alerts' } } as const;

export const deliveriesRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/v1/webhooks/:id/deliveries', OPTIONS, async (request) => {
      const { page, per_page: limit } = request.query;
      const name = { accountId: keyOf(request).accountId, webhookId: request.params.id };
      const found = await deps.webhooks.deliveries({ ...name, limit, offset: (page - 1) * limit });
      if (found === null) throw new ApiError(404, UNKNOWN_WEBHOOK);
      return {
        deliveries: found.deliveries.map((delivery) => presentDelivery(delivery)),
        ...presentPage(request.query, found.total),
      };
    });
  };
