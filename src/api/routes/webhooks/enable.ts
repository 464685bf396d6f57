/** POST /v1/webhooks/{id}/enable: enables a disabled webhook. */
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
  operationId: 'enableWebhook',
  summary: 'Enable a webhook',
  description:
    'Resumes deliveries to a disabled webhook. Cancelled deliveries are not resent ' +
    'automatically; redeliver them individually.',
  tags: ['webhooks'],
  params: WebhookPath,
  response: {
    200: WebhookBody,
    ...writeErrors(ACCESS, { 400: 'id must be a UUID.', 404: UNKNOWN_WEBHOOK }),
  },
};

export const enableWebhookRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    allowEmptyBody(app);
    const options = { schema, config: { access: ACCESS } } as const;
    app.post('/v1/webhooks/:id/enable', options, async (request) => {
      const { accountId } = keyOf(request);
      const name = { accountId, webhookId: request.params.id };
      const webhook = await deps.webhooks.enable(name);
      if (webhook === null) throw new ApiError(404, UNKNOWN_WEBHOOK);
      return presentWebhook(webhook);
    });
  };
