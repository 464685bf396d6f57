import type { WebhookDisabledReason } from '../../model/webhook.ts';

/** What an attempt to deliver came to. */
export type AttemptResult =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly retryAfter: string | null;
      readonly durationMs: number;
    }
  /** Nothing was answered; `error` is one word. */
  | { readonly kind: 'unanswered'; readonly error: string; readonly durationMs: number }
  /** Whoever sends was stopped: whether it arrived is not known, and the receiver is not to blame. */
  | { readonly kind: 'interrupted' };

export type Verdict = 'delivered' | 'gone' | 'failed';

const GONE = 410;

/** 2xx is delivered; 410 asks for nothing ever again; anything else is tried again. */
export function verdictOf(
  result: Exclude<AttemptResult, { readonly kind: 'interrupted' }>,
): Verdict {
  if (result.kind === 'unanswered') return 'failed';
  if (result.status >= 200 && result.status <= 299) return 'delivered';
  return result.status === GONE ? 'gone' : 'failed';
}

/** A webhook at which nothing arrives for so long, at so many attempts in a row, is disabled. */
const FAILING_MS = 3 * 24 * 3_600_000;
const FAILURES_MIN = 10;

/** Why a webhook is disabled after an attempt; null when it is not. */
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
