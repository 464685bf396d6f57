/** POST /v1/webhooks/{id}/rotate-secret: replaces the secret of a webhook. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { ApiError } from '../../../model/errors.ts';
import type { ApiDeps } from '../../deps.ts';
import { keyOf } from '../../http/admission.ts';
import { presentWebhook, SecretWebhookBody } from '../../present/present-webhook.ts';
import { allowEmptyBody } from '../../requests/allow-empty-body.ts';
import { writeErrors } from '../../schemas/error-responses.ts';
import { UNKNOWN_WEBHOOK, WebhookPath } from '../../schemas/webhook-body.ts';

const ACCESS = 'triggers:write';

const schema = {
  operationId: 'rotateWebhookSecret',
  summary: 'Rotate the secret of a webhook',
  description:
    'For one day, events are signed with both secrets: webhook-signature contains the new ' +
    'signature first, then the previous one, separated by a space.',
  tags: ['webhooks'],
  params: WebhookPath,
  response: {
    200: SecretWebhookBody,
    ...writeErrors(ACCESS, { 400: 'id must be a UUID.', 404: UNKNOWN_WEBHOOK }),
  },
};

export const rotateSecretRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    allowEmptyBody(app);
    const options = { schema, config: { access: ACCESS } } as const;
    app.post('/v1/webhooks/:id/rotate-secret', options, async (request) => {
      const { accountId } = keyOf(request);
      const name = { accountId, webhookId: request.params.id };
      const rotated = await deps.webhooks.rotate(name);
      if (rotated === null) throw new ApiError(404, UNKNOWN_WEBHOOK);
      return { ...presentWebhook(rotated.webhook), secret: rotated.secret };
    });
  };
