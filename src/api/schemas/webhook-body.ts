import { Type } from 'typebox';
import {
  DELIVERY_STATES,
  WEBHOOK_EVENT_TYPES,
  WEBHOOK_LABEL_LENGTH_MAX,
  WEBHOOK_URL_LENGTH_MAX,
  type WebhookEventType,
} from '../../model/webhook.ts';
import { EXAMPLE } from './examples.ts';
import { UuidParameter } from './parameters.ts';
import { Instant, MaybeInstant, Nullable, UuidText, Word } from './wire.ts';

const EVENT_TYPE = Word(
  WEBHOOK_EVENT_TYPES,
  'trigger.fired and trigger.retracted: as in the list of firings, of the account alone; ' +
    'fraud.found, fraud.raised (to a higher confidence level) and fraud.withdrawn: a classification; ' +
    'signal.given: a signal; ' +
    'venue.changed: suddenly more of a program is not understood than before, or no longer.',
);

/** Of a request. */
export const UrlText = Type.String({
  minLength: 1,
  maxLength: WEBHOOK_URL_LENGTH_MAX,
  description: 'https, port 443, on the open internet.',
});

export const LabelText = Type.String({
  minLength: 1,
  maxLength: WEBHOOK_LABEL_LENGTH_MAX,
  description: 'For people.',
});

export const EventTypeList = Type.Unsafe<readonly WebhookEventType[]>(
  Type.Array(EVENT_TYPE, {
    minItems: 1,
    maxItems: WEBHOOK_EVENT_TYPES.length,
    description: 'What it is told of.',
  }),
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
  event_types: Type.Array(EVENT_TYPE),
  status: Word(
    ['active', 'disabled', 'removed'],
    'Disabled: nothing is sent until it is enabled. Removed: only in the answer to its removal.',
  ),
  disabled_at: MaybeInstant,
  disabled_reason: Type.Unsafe<'gone' | 'failing' | null>({
    type: ['string', 'null'],
    enum: ['gone', 'failing', null],
    description: 'gone: it answered 410; failing: nothing arrived for three days.',
  }),
  failing_since: MaybeInstant,
  failures_in_row: Type.Integer({ description: 'Attempts that failed since one arrived.' }),
  pending_deliveries: Type.Integer({ description: 'Events that wait.' }),
  dropped_deliveries: Type.Integer({
    description: 'Events that were thrown away, the oldest first, because 10,000 waited.',
  }),
  previous_secret_until: MaybeInstant,
  created_at: Instant,
};

const SecretText = Type.String({
  description: 'whsec_ and 32 bytes in base64. Told this once.',
});

export const WebhookBody = Type.Object(WEBHOOK, {
  description: 'The webhook.',
  examples: [WEBHOOK_EXAMPLE],
});

export const SecretWebhookBody = Type.Object(
  { ...WEBHOOK, secret: SecretText },
  {
    description: 'The webhook, with the secret that its events are signed with.',
    examples: [{ ...WEBHOOK_EXAMPLE, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' }],
  },
);

export const WebhookListBody = Type.Object(
  { webhooks: Type.Array(Type.Object(WEBHOOK), { description: 'Oldest first.' }) },
  { description: 'All of the account.', examples: [{ webhooks: [WEBHOOK_EXAMPLE] }] },
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
  id: Type.String({ format: 'uuid', description: 'webhook-id of every attempt.' }),
  type: Type.String({ description: 'An event type, or ping.' }),
  state: Word(
    DELIVERY_STATES,
    'failed: given up after three days or answered with 410; cancelled: the webhook was disabled; ' +
      'dropped: too many waited.',
  ),
  created_at: Instant,
  next_attempt_at: MaybeInstant,
  attempt_count: Type.Integer(),
  attempts: Type.Array(
    Type.Object({
      at: Instant,
      status: Nullable(Type.Integer({ description: 'Null when nothing was answered.' })),
      error: Nullable(Type.String({ description: 'Why nothing was answered, one word.' })),
      duration_ms: Type.Integer(),
    }),
    { description: 'Newest first, the newest 30.' },
  ),
};

export const DeliveryBody = Type.Object(DELIVERY, {
  description: 'An event on its way.',
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
    description: 'Newest first.',
    examples: [{ deliveries: [DELIVERY_EXAMPLE], total: 1, page: 1, per_page: 20, pages: 1 }],
  },
);

export const WebhookPath = Type.Object({
  id: UuidParameter({ example: EXAMPLE.uuid, description: 'The webhook.' }),
});

export const DeliveryPath = Type.Object({
  id: UuidParameter({ example: EXAMPLE.uuid, description: 'The webhook.' }),
  delivery_id: UuidParameter({ example: EXAMPLE.uuid, description: 'The delivery.' }),
});

export const DISABLED_WEBHOOK = 'This webhook is disabled: enable it first.';

export const UNKNOWN_WEBHOOK = 'This account has no such webhook.';
