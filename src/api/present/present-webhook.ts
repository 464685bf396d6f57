import type { Webhook, WebhookDelivery } from '../../model/webhook.ts';
import { formatInstant, formatMaybeInstant } from './format-wire.ts';

/** A webhook as returned to its account, without its secret. */
export function presentWebhook(webhook: Webhook, isRemoved = false) {
  const { disabledAtMs, disabledReason } = webhook;
  const status: 'active' | 'disabled' | 'removed' = isRemoved
    ? 'removed'
    : disabledAtMs === null
      ? 'active'
      : 'disabled';
  return {
    id: webhook.id,
    url: webhook.url,
    label: webhook.label,
    event_types: [...webhook.eventTypes],
    status,
    disabled_at: formatMaybeInstant(disabledAtMs),
    disabled_reason: disabledReason,
    failing_since: formatMaybeInstant(webhook.failingSinceMs),
    failures_in_row: webhook.failuresInRow,
    pending_deliveries: webhook.pending,
    dropped_deliveries: webhook.dropped,
    previous_secret_until: formatMaybeInstant(webhook.previousSecretUntilMs),
    created_at: formatInstant(webhook.createdAtMs),
  };
}

export function presentDelivery(delivery: WebhookDelivery) {
  return {
    id: delivery.id,
    type: delivery.eventType,
    state: delivery.state,
    created_at: formatInstant(delivery.createdAtMs),
    next_attempt_at: formatMaybeInstant(delivery.nextAttemptMs),
    attempt_count: delivery.attemptCount,
    attempts: delivery.attempts.map(({ atMs, status, error, durationMs }) => ({
      at: formatInstant(atMs),
      status,
      error,
      duration_ms: durationMs,
    })),
  };
}
