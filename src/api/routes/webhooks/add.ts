/** POST /v1/webhooks: registers a URL for events (CONTRACT §2, §3). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { ApiError } from '../../../model/errors.ts';
import type { ApiDeps } from '../../deps.ts';
import { keyOf } from '../../http/admission.ts';
import { presentWebhook, SecretWebhookBody } from '../../present/present-webhook.ts';
import { NewWebhook } from '../../requests/webhook-request.ts';
import { writeErrors } from '../../schemas/error-responses.ts';
import { WEBHOOK_LINKS } from '../../schemas/webhook-body.ts';

const ACCESS = 'triggers:write';

const schema = {
  operationId: 'addWebhook',
  summary: 'Add a webhook',
  description:
    'Events are sent as POST requests with a body of {type, timestamp, data} and the headers of ' +
    'Standard Webhooks: webhook-id, webhook-timestamp and webhook-signature, which is v1 and ' +
    'the base64 of the HMAC-SHA256 of id.timestamp.body. A 2xx response within 5 s ' +
    'acknowledges the event; other responses are retried for three days, and 410 disables the ' +
    'webhook. Redirects are not followed. Events may arrive in any order and more than once; ' +
    'all deliveries of an event have the same webhook-id.',
  tags: ['webhooks'],
  body: NewWebhook,
  response: {
    201: SecretWebhookBody,
    ...writeErrors(ACCESS, {
      400: 'url is required.',
      409: fullOf(20),
      422: 'url must begin with https://, unless --webhook-private-origins names its origin.',
    }),
  },
};

export const addWebhookRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const options = { schema, links: { 201: WEBHOOK_LINKS }, config: { access: ACCESS } } as const;
    app.post('/v1/webhooks', options, async (request, reply) => {
      const { accountId } = keyOf(request);
      const { url, event_types: eventTypes, label = null } = request.body;
      const outcome = await deps.webhooks.add({ accountId, url, eventTypes, label });
      if (outcome.kind === 'refused') throw new ApiError(422, `url ${outcome.reason}.`);
      if (outcome.kind === 'full') throw new ApiError(409, fullOf(outcome.webhooksMax));
      const { webhook, secret } = outcome;
      return reply.code(201).send({ ...presentWebhook(webhook), secret });
    });
  };

function fullOf(webhooksMax: number): string {
  return `This account has ${webhooksMax} webhooks, the maximum: remove one first.`;
}
