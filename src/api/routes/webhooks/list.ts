/** GET /v1/webhooks: the webhooks of the account (CONTRACT §2). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { ApiDeps } from '../../deps.ts';
import { keyOf } from '../../http/admission.ts';
import { presentWebhook, WebhookListBody } from '../../present/present-webhook.ts';
import { errors } from '../../schemas/error-responses.ts';

const schema = {
  operationId: 'listWebhooks',
  summary: 'List webhooks',
  description: 'Returns all webhooks of the account, oldest first, without their secrets.',
  tags: ['webhooks'],
  response: { 200: WebhookListBody, ...errors({}) },
};

const OPTIONS = { schema, config: { access: 'own alerts' } } as const;

export const listWebhooksRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/v1/webhooks', OPTIONS, async (request) => {
      const found = await deps.webhooks.list(keyOf(request).accountId);
      return { webhooks: found.map((webhook) => presentWebhook(webhook)) };
    });
  };
