import type { WebhookDisabledReason } from '../../model/webhook.ts';

/** The outcome of one delivery attempt. */
export type AttemptResult =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly retryAfter: string | null;
      readonly durationMs: number;
    }
  /** No response was received; `error` is one word. */
  | { readonly kind: 'unanswered'; readonly error: string; readonly durationMs: number }
  /** The sender was stopped. Whether the request arrived is unknown; the receiver did not fail. */
  | { readonly kind: 'interrupted' };

export type Verdict = 'delivered' | 'gone' | 'failed';

const GONE = 410;

/** 2xx means delivered, 410 ends all deliveries to the webhook, anything else is retried. */
export function verdictOf(
  result: Exclude<AttemptResult, { readonly kind: 'interrupted' }>,
): Verdict {
  if (result.kind === 'unanswered') return 'failed';
  if (result.status >= 200 && result.status <= 299) return 'delivered';
  return result.status === GONE ? 'gone' : 'failed';
}

/** A webhook is disabled after failing for this long and this many consecutive attempts. */
const FAILING_MS = 3 * 24 * 3_600_000;
const FAILURES_MIN = 10;

/** The reason to disable a webhook after an attempt; null to keep it enabled. */
export function disabledBy(
  verdict: Verdict,
  failing: { readonly sinceMs: number | null; readonly inRow: number },
  nowMs: number,
): WebhookDisabledReason | null {
  if (verdict === 'gone') return 'gone';
  if (verdict === 'delivered' || failing.sinceMs === null) return null;
  const isExhausted = failing.inRow >= FAILURES_MIN && nowMs - failing.sinceMs >= FAILING_MS;
  return isExhausted ? 'failing' : null;
}
