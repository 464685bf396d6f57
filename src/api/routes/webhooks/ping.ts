/** POST /v1/webhooks/{id}/test: sends a ping event. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { ApiError } from '../../../model/errors.ts';
import type { ApiDeps } from '../../deps.ts';
import { keyOf } from '../../http/admission.ts';
import { DeliveryBody, presentDelivery } from '../../present/present-webhook.ts';
import { allowEmptyBody } from '../../requests/allow-empty-body.ts';
import { writeErrors } from '../../schemas/error-responses.ts';
import {
  DELIVERY_LINKS,
  DISABLED_WEBHOOK,
  UNKNOWN_WEBHOOK,
  WebhookPath,
} from '../../schemas/webhook-body.ts';

const ACCESS = 'triggers:write';

const schema = {
  operationId: 'testWebhook',
  summary: 'Test a webhook',
  description: 'Sends an event of type ping, signed and retried like any other event.',
  tags: ['webhooks'],
  params: WebhookPath,
  response: {
    202: DeliveryBody,
    ...writeErrors(ACCESS, {
      400: 'id must be a UUID.',
      404: UNKNOWN_WEBHOOK,
      409: DISABLED_WEBHOOK,
    }),
  },
};

export const pingWebhookRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    allowEmptyBody(app);
    const options = { schema, links: { 202: DELIVERY_LINKS }, config: { access: ACCESS } } as const;
    app.post('/v1/webhooks/:id/test', options, async (request, reply) => {
      const { accountId } = keyOf(request);
      const outcome = await deps.webhooks.test({ accountId, webhookId: request.params.id });
      if (outcome.kind === 'unknown') throw new ApiError(404, UNKNOWN_WEBHOOK);
      if (outcome.kind === 'disabled') throw new ApiError(409, DISABLED_WEBHOOK);
      return reply.code(202).send(presentDelivery(outcome.delivery));
    });
  };
