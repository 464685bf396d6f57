/** What a webhook can be told of, by the names the wire uses. */
export const WEBHOOK_EVENT_TYPES = [
  'trigger.fired',
  'trigger.retracted',
  'fraud.found',
  'fraud.raised',
  'fraud.withdrawn',
  'signal.given',
  'venue.changed',
] as const;

export type WebhookEventType = (typeof WEBHOOK_EVENT_TYPES)[number];

/** Sent to try a webhook, whatever it is told of otherwise. */
export const PING_EVENT = 'ping';

/** Characters of a label, and of a URL. */
export const WEBHOOK_LABEL_LENGTH_MAX = 100;
export const WEBHOOK_URL_LENGTH_MAX = 2_000;

/** Why nothing is sent to a webhook any more. */
export type WebhookDisabledReason = 'gone' | 'failing';

/** Where an account wants to be told. Its secret is not part of it. Times by the wall clock. */
export interface Webhook {
  /** A UUID. */
  readonly id: string;
  readonly accountId: string;
  readonly url: string;
  readonly label: string | null;
  readonly eventTypes: readonly WebhookEventType[];
  readonly createdAtMs: number;
  /** Null while it is told. */
  readonly disabledAtMs: number | null;
  readonly disabledReason: WebhookDisabledReason | null;
  /** Of deliveries that failed since the last one that arrived; null when none did. */
  readonly failingSinceMs: number | null;
  readonly failuresInRow: number;
  /** Deliveries that wait. */
  readonly pending: number;
  /** Deliveries that were thrown away because too many waited. */
  readonly dropped: number;
  /** Until when what is sent is signed with the secret before the last, too. */
  readonly previousSecretUntilMs: number | null;
}

/** `failed`: given up after all tries; `cancelled`: the webhook was disabled; `dropped`: too many waited. */
export const DELIVERY_STATES = ['pending', 'delivered', 'failed', 'cancelled', 'dropped'] as const;

export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** One event on its way to one webhook. */
export interface WebhookDelivery {
  /** The event's UUID, the `webhook-id` of every attempt: one event has one for all webhooks. */
  readonly id: string;
  readonly webhookId: string;
  readonly eventType: string;
  readonly createdAtMs: number;
  readonly state: DeliveryState;
  /** Null when it is not going to be sent. */
  readonly nextAttemptMs: number | null;
  /** Newest first, the newest few. */
  readonly attempts: readonly DeliveryAttempt[];
  readonly attemptCount: number;
}

export interface DeliveryAttempt {
  readonly atMs: number;
  /** Null when nothing was answered. */
  readonly status: number | null;
  /** Why it did not arrive, one word; null when it did, or when the status says it. */
  readonly error: string | null;
  readonly durationMs: number;
}

export interface WebhookName {
  readonly accountId: string;
  readonly webhookId: string;
}

export interface WebhookRequest {
  readonly accountId: string;
  readonly url: string;
  readonly label: string | null;
  readonly eventTypes: readonly WebhookEventType[];
}

export interface DeliveryName extends WebhookName {
  readonly deliveryId: string;
}

export interface DeliveryPageQuery extends WebhookName {
  readonly offset: number;
  readonly limit: number;
}

export interface DeliveryPage {
  /** Newest first. */
  readonly deliveries: readonly WebhookDelivery[];
  readonly total: number;
}

/** A webhook with its new secret, which is told this once. */
export interface WebhookWithSecret {
  readonly webhook: Webhook;
  readonly secret: string;
}

export type WebhookAddition =
  | ({ readonly kind: 'done' } & WebhookWithSecret)
  /** `reason`: what is wrong with the URL, in words that do not repeat it. */
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'full'; readonly webhooksMax: number };

/** What became of a request to send something. */
export type DeliveryOutcome =
  | { readonly kind: 'done'; readonly delivery: WebhookDelivery }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'disabled' };
