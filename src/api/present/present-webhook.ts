import { Type } from 'typebox';
import {
  DELIVERY_STATES,
  type DeliveryAttempt,
  type Webhook,
  type WebhookDelivery,
} from '../../model/webhook.ts';
import { EXAMPLE } from '../schemas/examples.ts';
import { EventType } from '../schemas/webhook-body.ts';
import { PAGE_FIELDS } from './page.ts';
import {
  instant,
  integer,
  list,
  maybeInstant,
  nullable,
  plain,
  text,
  uuid,
  word,
} from './wire-kinds.ts';
import { type Wire, wireRecord } from './wire-record.ts';

/** A webhook as returned to its account, without its secret. The context is whether it is removed. */
const WebhookRecord = wireRecord<Webhook, boolean>()(
  {
    id: [uuid, 'id'],
    url: [text, 'url'],
    label: [nullable(text), 'label'],
    event_types: [list(plain(EventType)), 'eventTypes'],
    status: [
      word(['active', 'disabled', 'removed']),
      statusOf,
      'disabled: no events are sent until the webhook is enabled. removed appears only in the ' +
        'response of the removal.',
    ],
    disabled_at: [maybeInstant, 'disabledAtMs'],
    disabled_reason: [
      plain(
        Type.Unsafe<Webhook['disabledReason']>({
          type: ['string', 'null'],
          enum: ['gone', 'failing', null],
        }),
      ),
      'disabledReason',
      'gone: the endpoint answered 410; failing: no delivery succeeded for three days.',
    ],
    failing_since: [maybeInstant, 'failingSinceMs'],
    failures_in_row: [
      integer,
      'failuresInRow',
      'Consecutive failed attempts since the last success.',
    ],
    pending_deliveries: [integer, 'pending', 'Number of events waiting for delivery.'],
    dropped_deliveries: [
      integer,
      'dropped',
      'Number of events dropped, oldest first, because more than 10,000 were pending.',
    ],
    previous_secret_until: [maybeInstant, 'previousSecretUntilMs'],
    created_at: [instant, 'createdAtMs'],
  },
  { title: 'Webhook' },
);

function statusOf({ disabledAtMs }: Webhook, isRemoved: boolean) {
  if (isRemoved) return 'removed';
  return disabledAtMs === null ? 'active' : 'disabled';
}

export function presentWebhook(webhook: Webhook, isRemoved = false) {
  return WebhookRecord.present(webhook, isRemoved);
}

const WEBHOOK_EXAMPLE: Wire<typeof WebhookRecord> = {
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
};

const SecretText = Type.String({
  description: 'whsec_ followed by 32 bytes in base64. Returned only once.',
});

export const WebhookBody = Type.Object(WebhookRecord.schema.properties, {
  title: 'Webhook',
  description: 'The webhook.',
  examples: [WEBHOOK_EXAMPLE],
});

export const SecretWebhookBody = Type.Object(
  { ...WebhookRecord.schema.properties, secret: SecretText },
  {
    title: 'WebhookWithSecret',
    description: 'The webhook, including its signing secret.',
    examples: [{ ...WEBHOOK_EXAMPLE, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' }],
  },
);

export const WebhookListBody = Type.Object(
  { webhooks: Type.Array(WebhookRecord.schema, { description: 'Oldest first.' }) },
  { description: 'All webhooks of the account.', examples: [{ webhooks: [WEBHOOK_EXAMPLE] }] },
);

const Attempt = wireRecord<DeliveryAttempt>()(
  {
    at: [instant, 'atMs'],
    status: [
      nullable(integer),
      'status',
      'HTTP status of the response; null if there was no response.',
    ],
    error: [nullable(text), 'error', 'Reason why there was no response, as one word.'],
    duration_ms: [integer, 'durationMs'],
  },
  { title: 'DeliveryAttempt' },
);

const Delivery = wireRecord<WebhookDelivery>()(
  {
    id: [uuid, 'id', 'ID of the event, sent as webhook-id with every attempt.'],
    type: [text, 'eventType', 'An event type, or ping.'],
    state: [
      word(DELIVERY_STATES),
      'state',
      'failed: abandoned after three days or after a 410 response; cancelled: the webhook was ' +
        'disabled; dropped: too many events were pending.',
    ],
    created_at: [instant, 'createdAtMs'],
    next_attempt_at: [maybeInstant, 'nextAttemptMs'],
    attempt_count: [integer, 'attemptCount'],
    attempts: [list(Attempt), 'attempts', 'The 30 newest attempts, newest first.'],
  },
  { title: 'Delivery' },
);

export const presentDelivery = Delivery.present;

const DELIVERY_EXAMPLE: Wire<typeof Delivery> = {
  id: EXAMPLE.uuid,
  type: 'trigger.fired',
  state: 'pending',
  created_at: EXAMPLE.instant,
  next_attempt_at: EXAMPLE.instant,
  attempt_count: 1,
  attempts: [{ at: EXAMPLE.instant, status: 500, error: null, duration_ms: 12 }],
};

export const DeliveryBody = Type.Object(Delivery.schema.properties, {
  title: 'Delivery',
  description: 'An event and its delivery attempts.',
  examples: [DELIVERY_EXAMPLE],
});

export const DeliveryPageBody = Type.Object(
  {
    deliveries: Type.Array(Delivery.schema),
    total: Type.Integer(),
    ...PAGE_FIELDS,
  },
  {
    description: 'One page of deliveries, newest first.',
    examples: [{ deliveries: [DELIVERY_EXAMPLE], total: 1, page: 1, per_page: 20, pages: 1 }],
  },
);
