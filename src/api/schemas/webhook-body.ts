import { Type } from 'typebox';
import { WEBHOOK_EVENT_TYPES } from '../../model/webhook.ts';
import { EXAMPLE } from './examples.ts';
import { UuidParameter } from './parameters.ts';
import { Word } from './wire.ts';

export const EventType = Word(
  WEBHOOK_EVENT_TYPES,
  'trigger.fired, trigger.retracted: an entry of the list of firings of this account; ' +
    'fraud.found, fraud.raised (higher confidence level), fraud.withdrawn: a classification; ' +
    'signal.given: a signal; ' +
    'rule.hit: a hit of a rule of this account or of the operator; ' +
    'venue.changed: a program whose undecoded share rose suddenly, or returned to normal.',
);

export const WebhookPath = Type.Object({
  id: UuidParameter({ example: EXAMPLE.uuid, description: 'ID of the webhook.' }),
});

export const DeliveryPath = Type.Object({
  id: UuidParameter({ example: EXAMPLE.uuid, description: 'ID of the webhook.' }),
  delivery_id: UuidParameter({ example: EXAMPLE.uuid, description: 'ID of the delivery.' }),
});

/** What the ID in an answer with a webhook is for. */
export const WEBHOOK_LINKS = Object.fromEntries(
  [
    ...['getWebhook', 'removeWebhook', 'rotateWebhookSecret', 'enableWebhook', 'testWebhook'],
    'listDeliveries',
  ].map((operationId) => [operationId, { operationId, parameters: { id: '$response.body#/id' } }]),
);

/** What the ID in an answer with a delivery is for. */
export const DELIVERY_LINKS = {
  redeliver: {
    operationId: 'redeliver',
    parameters: { id: '$request.path.id', delivery_id: '$response.body#/id' },
  },
};

export const DISABLED_WEBHOOK = 'This webhook is disabled: enable it first.';

export const UNKNOWN_WEBHOOK = 'This account has no such webhook.';
