import { Type } from 'typebox';
import { DELIVERY_STATES, WEBHOOK_EVENT_TYPES } from '../../model/webhook.ts';
import { EXAMPLE } from './examples.ts';
import { UuidParameter } from './parameters.ts';
import { Instant, MaybeInstant, Nullable, UuidText, Word } from './wire.ts';

export const EventType = Word(
  WEBHOOK_EVENT_TYPES,
  'trigger.fired, trigger.retracted: an entry of the list of firings of this account; ' +
    'fraud.found, fraud.raised (higher confidence level), fraud.withdrawn: a classification; ' +
    'signal.given: a signal; ' +
    'venue.changed: a program whose undecoded share rose suddenly, or returned to normal.',
);

const WEBHOOK_EXAMPLE = {
  id: EXAMPLE.uuid,
  url: 'https://example.com/hooks',
  label: 'alerts',
  event_types: ['trigger.fired', 'trigger.retracted'],
  status: 'active',
  disabled_at: null,
  disabled_reason: null,
  failing_since: null,
  failures_in_row: 0,
  pending_deliveries: 0,
  dropped_deliveries: 0,
  previous_secret_until: null,
  created_at: EXAMPLE.instant,
} as const;

const WEBHOOK = {
  id: UuidText,
  url: Type.String(),
  label: Nullable(Type.String()),
  event_types: Type.Array(EventType),
  status: Word(
    ['active', 'disabled', 'removed'],
    'disabled: no events are sent until the webhook is enabled. removed appears only in the ' +
      'response of the removal.',
  ),
  disabled_at: MaybeInstant,
  disabled_reason: Type.Unsafe<'gone' | 'failing' | null>({
    type: ['string', 'null'],
    enum: ['gone', 'failing', null],
    description: 'gone: the endpoint answered 410; failing: no delivery succeeded for three days.',
  }),
  failing_since: MaybeInstant,
  failures_in_row: Type.Integer({
    description: 'Consecutive failed attempts since the last success.',
  }),
  pending_deliveries: Type.Integer({ description: 'Number of events waiting for delivery.' }),
  dropped_deliveries: Type.Integer({
    description: 'Number of events dropped, oldest first, because more than 10,000 were pending.',
  }),
  previous_secret_until: MaybeInstant,
  created_at: Instant,
};

const SecretText = Type.String({
  description: 'whsec_ followed by 32 bytes in base64. Returned only once.',
});

export const WebhookBody = Type.Object(WEBHOOK, {
  description: 'The webhook.',
  examples: [WEBHOOK_EXAMPLE],
});

export const SecretWebhookBody = Type.Object(
  { ...WEBHOOK, secret: SecretText },
  {
    description: 'The webhook, including its signing secret.',
    examples: [{ ...WEBHOOK_EXAMPLE, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' }],
  },
);

export const WebhookListBody = Type.Object(
  { webhooks: Type.Array(Type.Object(WEBHOOK), { description: 'Oldest first.' }) },
  { description: 'All webhooks of the account.', examples: [{ webhooks: [WEBHOOK_EXAMPLE] }] },
);

const DELIVERY_EXAMPLE = {
  id: EXAMPLE.uuid,
  type: 'trigger.fired',
  state: 'pending',
  created_at: EXAMPLE.instant,
  next_attempt_at: EXAMPLE.instant,
  attempt_count: 1,
  attempts: [{ at: EXAMPLE.instant, status: 500, error: null, duration_ms: 12 }],
} as const;

const DELIVERY = {
  id: Type.String({
    format: 'uuid',
    description: 'ID of the event, sent as webhook-id with every attempt.',
  }),
  type: Type.String({ description: 'An event type, or ping.' }),
  state: Word(
    DELIVERY_STATES,
    'failed: abandoned after three days or after a 410 response; cancelled: the webhook was ' +
      'disabled; dropped: too many events were pending.',
  ),
  created_at: Instant,
  next_attempt_at: MaybeInstant,
  attempt_count: Type.Integer(),
  attempts: Type.Array(
    Type.Object({
      at: Instant,
      status: Nullable(
        Type.Integer({
          description: 'HTTP status of the response; null if there was no response.',
        }),
      ),
      error: Nullable(
        Type.String({ description: 'Reason why there was no response, as one word.' }),
      ),
      duration_ms: Type.Integer(),
    }),
    { description: 'The 30 newest attempts, newest first.' },
  ),
};

export const DeliveryBody = Type.Object(DELIVERY, {
  description: 'An event and its delivery attempts.',
  examples: [DELIVERY_EXAMPLE],
});

export const DeliveryPageBody = Type.Object(
  {
    deliveries: Type.Array(Type.Object(DELIVERY)),
    total: Type.Integer(),
    page: Type.Integer(),
    per_page: Type.Integer(),
    pages: Type.Integer(),
  },
  {
    description: 'One page of deliveries, newest first.',
    examples: [{ deliveries: [DELIVERY_EXAMPLE], total: 1, page: 1, per_page: 20, pages: 1 }],
  },
);

export const WebhookPath = Type.Object({
  id: UuidParameter({ example: EXAMPLE.uuid, description: 'ID of the webhook.' }),
});

export const DeliveryPath = Type.Object({
  id: UuidParameter({ example: EXAMPLE.uuid, description: 'ID of the webhook.' }),
  delivery_id: UuidParameter({ example: EXAMPLE.uuid, description: 'ID of the delivery.' }),
});

export const DISABLED_WEBHOOK = 'This webhook is disabled: enable it first.';

export const UNKNOWN_WEBHOOK = 'This account has no such webhook.';
