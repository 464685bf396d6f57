import { Type } from 'typebox';
import {
  WEBHOOK_EVENT_TYPES,
  WEBHOOK_LABEL_LENGTH_MAX,
  WEBHOOK_URL_LENGTH_MAX,
  type WebhookEventType,
} from '../../model/webhook.ts';
import { NullableTextParameter, Parsed, TextParameter } from '../schemas/parameters.ts';
import { EventType } from '../schemas/webhook-body.ts';

const EventTypes = Type.Array(EventType, {
  minItems: 1,
  maxItems: WEBHOOK_EVENT_TYPES.length,
  description: 'Event types to send to the webhook.',
  'x-invalid-status': 422,
});

/** Body of a new webhook. A null label is no label. Duplicate event types are removed. */
export const NewWebhook = Type.Object(
  {
    url: TextParameter({
      description: 'https URL on port 443 that resolves to a public address.',
      maxLength: WEBHOOK_URL_LENGTH_MAX,
      invalidStatus: 422,
    }),
    event_types: Parsed(EventTypes, {
      parse: (types: readonly WebhookEventType[]) =>
        WEBHOOK_EVENT_TYPES.filter((type) => types.includes(type)),
      expected: `a list of ${WEBHOOK_EVENT_TYPES.join(', ')}`,
    }),
    label: Type.Optional(
      NullableTextParameter({
        description: 'Human-readable label.',
        maxLength: WEBHOOK_LABEL_LENGTH_MAX,
        invalidStatus: 422,
      }),
    ),
  },
  {
    examples: [
      {
        url: 'https://hooks.example.com/mintscope',
        event_types: ['trigger.fired', 'signal.given'],
      },
    ],
  },
);
