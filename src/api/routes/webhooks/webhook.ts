/** GET /v1/webhooks/{id}: a webhook of the account. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { ApiError } from '../../../model/errors.ts';
import type { ApiDeps } from '../../deps.ts';
import { keyOf } from '../../http/admission.ts';
import { presentWebhook, WebhookBody } from '../../present/present-webhook.ts';
import { errors } from '../../schemas/error-responses.ts';
import { UNKNOWN_WEBHOOK, WebhookPath } from '../../schemas/webhook-body.ts';

const schema = {
  operationId: 'getWebhook',
  summary: 'Retrieve a webhook',
  description: 'Returns a webhook of the account, without its secret.',
  tags: ['webhooks'],
  params: WebhookPath,
  response: {
    200: WebhookBody,
    ...errors({ 400: 'id must be a UUID.', 404: UNKNOWN_WEBHOOK }),
  },
};

const OPTIONS = { schema, config: { access: 'own alerts' } } as const;

export const webhookRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/v1/webhooks/:id', OPTIONS, async (request) => {
      const { accountId } = keyOf(request);
      const webhook = await deps.webhooks.find({ accountId, webhookId: request.params.id });
      if (webhook === null) throw new ApiError(404, UNKNOWN_WEBHOOK);
      return presentWebhook(webhook);
    });
  };
