/** Events that a webhook can subscribe to, by the names the wire uses. */
export const WEBHOOK_EVENT_TYPES = [
  'trigger.fired',
  'trigger.retracted',
  'fraud.found',
  'fraud.raised',
  'fraud.withdrawn',
  'signal.given',
  'rule.hit',
  'venue.changed',
] as const;

export type WebhookEventType = (typeof WEBHOOK_EVENT_TYPES)[number];

/** Test event, sent regardless of the event types a webhook subscribes to. */
export const PING_EVENT = 'ping';

/** Maximum characters of a label, and of a URL. */
export const WEBHOOK_LABEL_LENGTH_MAX = 100;
export const WEBHOOK_URL_LENGTH_MAX = 2_000;

/** Why a webhook was disabled. */
export type WebhookDisabledReason = 'gone' | 'failing';

/**
 * An endpoint that receives events of an account. Its secret is not included. Times are wall-clock
 * times.
 */
export interface Webhook {
  /** A UUID. */
  readonly id: string;
  readonly accountId: string;
  readonly url: string;
  readonly label: string | null;
  readonly eventTypes: readonly WebhookEventType[];
  readonly createdAtMs: number;
  /** Null while the webhook is enabled. */
  readonly disabledAtMs: number | null;
  readonly disabledReason: WebhookDisabledReason | null;
  /** Start of the failures since the last successful delivery; null when there are none. */
  readonly failingSinceMs: number | null;
  readonly failuresInRow: number;
  /** Deliveries waiting to be sent. */
  readonly pending: number;
  /** Deliveries dropped because too many were waiting. */
  readonly dropped: number;
  /** End of the period in which requests are also signed with the previous secret. */
  readonly previousSecretUntilMs: number | null;
}

/**
 * `failed`: all attempts were exhausted; `cancelled`: the webhook was disabled; `dropped`: too many
 * deliveries were waiting.
 */
export const DELIVERY_STATES = ['pending', 'delivered', 'failed', 'cancelled', 'dropped'] as const;

export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** The delivery of one event to one webhook. */
export interface WebhookDelivery {
  /** The event's UUID, sent as `webhook-id` with every attempt. It is the same for all webhooks. */
  readonly id: string;
  readonly webhookId: string;
  readonly eventType: string;
  readonly createdAtMs: number;
  readonly state: DeliveryState;
  /** Null when no further attempt is scheduled. */
  readonly nextAttemptMs: number | null;
  /** Newest first; only the latest few. */
  readonly attempts: readonly DeliveryAttempt[];
  readonly attemptCount: number;
}

export interface DeliveryAttempt {
  readonly atMs: number;
  /** HTTP status; null when there was no response. */
  readonly status: number | null;
  /**
   * Why the attempt failed, as one word; null when it succeeded or when the status is the reason.
   */
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

/** A webhook with its new secret, which is shown only once. */
export interface WebhookWithSecret {
  readonly webhook: Webhook;
  readonly secret: string;
}

export type WebhookAddition =
  | ({ readonly kind: 'done' } & WebhookWithSecret)
  /** `reason`: what is wrong with the URL, without repeating the URL. */
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'full'; readonly webhooksMax: number };

/** Result of a request to send something. */
export type DeliveryOutcome =
  | { readonly kind: 'done'; readonly delivery: WebhookDelivery }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'disabled' };
