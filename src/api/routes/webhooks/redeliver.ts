/** POST /v1/webhooks/{id}/deliveries/{delivery_id}/redeliver: sends an event again. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { ApiError } from '../../../model/errors.ts';
import type { ApiDeps } from '../../deps.ts';
import { keyOf } from '../../http/admission.ts';
import { DeliveryBody, presentDelivery } from '../../present/present-webhook.ts';
import { allowEmptyBody } from '../../requests/allow-empty-body.ts';
import { writeErrors } from '../../schemas/error-responses.ts';
import { DeliveryPath, DISABLED_WEBHOOK } from '../../schemas/webhook-body.ts';

const UNKNOWN_DELIVERY = 'This account has no such webhook, or its log has no such delivery.';

const ACCESS = 'triggers:write';

const schema = {
  operationId: 'redeliver',
  summary: 'Redeliver an event',
  description:
    'Sends any event of the log again with the same webhook-id, whether or not it was delivered ' +
    'before. Attempts are retried for three days from now.',
  tags: ['webhooks'],
  params: DeliveryPath,
  response: {
    202: DeliveryBody,
    ...writeErrors(ACCESS, {
      400: 'id must be a UUID.',
      404: UNKNOWN_DELIVERY,
      409: DISABLED_WEBHOOK,
    }),
  },
};

export const redeliverRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    allowEmptyBody(app);
    const options = { schema, config: { access: ACCESS } } as const;
    app.post(
      '/v1/webhooks/:id/deliveries/:delivery_id/redeliver',
      options,
      async (request, reply) => {
        const { accountId } = keyOf(request);
        const { id: webhookId, delivery_id: deliveryId } = request.params;
        const outcome = await deps.webhooks.redeliver({ accountId, webhookId, deliveryId });
        if (outcome.kind === 'unknown') throw new ApiError(404, UNKNOWN_DELIVERY);
        if (outcome.kind === 'disabled') throw new ApiError(409, DISABLED_WEBHOOK);
        return reply.code(202).send(presentDelivery(outcome.delivery));
      },
    );
  };
