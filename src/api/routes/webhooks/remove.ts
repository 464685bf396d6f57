/**
 * DELETE /v1/webhooks/{id}: removes a webhook, its pending deliveries and its log (CONTRACT §2).
 */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { ApiError } from '../../../model/errors.ts';
import type { ApiDeps } from '../../deps.ts';
import { keyOf } from '../../http/admission.ts';
import { presentWebhook, WebhookBody } from '../../present/present-webhook.ts';
import { allowEmptyBody } from '../../requests/allow-empty-body.ts';
import { writeErrors } from '../../schemas/error-responses.ts';
import { UNKNOWN_WEBHOOK, WebhookPath } from '../../schemas/webhook-body.ts';

const ACCESS = 'triggers:write';

const schema = {
  operationId: 'removeWebhook',
  summary: 'Remove a webhook',
  description: 'Pending deliveries and the delivery log of the webhook are deleted too.',
  tags: ['webhooks'],
  params: WebhookPath,
  response: {
    200: WebhookBody,
    ...writeErrors(ACCESS, { 400: 'id must be a UUID.', 404: UNKNOWN_WEBHOOK }),
  },
};

export const removeWebhookRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    allowEmptyBody(app);
    const options = { schema, config: { access: ACCESS } } as const;
    app.delete('/v1/webhooks/:id', options, async (request) => {
      const { accountId } = keyOf(request);
      const name = { accountId, webhookId: request.params.id };
      const webhook = await deps.webhooks.remove(name);
      if (webhook === null) throw new ApiError(404, UNKNOWN_WEBHOOK);
      return presentWebhook(webhook, true);
    });
  };
