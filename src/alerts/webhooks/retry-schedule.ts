/** How long an event is retried, counted from its creation or its last manual resend. */
export const RETRIED_MS = 3 * 24 * 3_600_000;
const FIRST_DELAY_MS = 5_000;
const GROWTH = 4;
const DELAY_MAX_MS = 12 * 3_600_000;
/** Upper limit for the delay that a receiver may request. */
const RETRY_AFTER_MAX_MS = 24 * 3_600_000;

export interface FailedAttempt {
  /** Number of attempts since `sinceMs`, including this one. */
  readonly attempts: number;
  /** When the event was created or last resent manually. */
  readonly sinceMs: number;
  readonly nowMs: number;
  /** The `Retry-After` header: seconds or a date. */
  readonly retryAfter: string | null;
}

/**
 * The time of the next attempt; null when the retry period is over. The delay quadruples with each
 * attempt, up to 12 hours, and half of it is random (`random` is from 0 to 1). A longer delay
 * requested by the receiver is used instead, up to one day.
 */
export function nextAttemptMs(failed: FailedAttempt, random: number): number | null {
  const { attempts, sinceMs, nowMs, retryAfter } = failed;
  const wholeMs = Math.min(FIRST_DELAY_MS * GROWTH ** Math.max(0, attempts - 1), DELAY_MAX_MS);
  const delayMs = Math.max(wholeMs * (0.5 + random / 2), retryAfterMs(retryAfter, nowMs));
  const nextMs = Math.round(nowMs + delayMs);
  return nextMs - sinceMs > RETRIED_MS ? null : nextMs;
}

/** The delay that the header requests; 0 when it cannot be parsed. */
export function retryAfterMs(header: string | null, nowMs: number): number {
  const text = header?.trim() ?? '';
  const requestedMs = /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - nowMs;
  return Number.isNaN(requestedMs) ? 0 : Math.min(Math.max(requestedMs, 0), RETRY_AFTER_MAX_MS);
}
