/** How long an event is tried for, from when it was made or sent again by hand. */
export const RETRIED_MS = 3 * 24 * 3_600_000;
const FIRST_DELAY_MS = 5_000;
const GROWTH = 4;
const DELAY_MAX_MS = 12 * 3_600_000;
/** A receiver that asks for more is asked again after this. */
const RETRY_AFTER_MAX_MS = 24 * 3_600_000;

export interface FailedAttempt {
  /** With this one, since `sinceMs`. */
  readonly attempts: number;
  /** When the event was made, or sent again by hand. */
  readonly sinceMs: number;
  readonly nowMs: number;
  /** The header of that name; seconds or a date. */
  readonly retryAfter: string | null;
}

/**
 * When to try again; null when it has been tried for long enough. The delay grows four times with
 * each attempt up to 12 hours, half of it by chance: `random` is from 0 to 1. What the receiver asks
 * for counts when it is longer, up to a day.
 */
export function nextAttemptMs(failed: FailedAttempt, random: number): number | null {
  const { attempts, sinceMs, nowMs, retryAfter } = failed;
  const wholeMs = Math.min(FIRST_DELAY_MS * GROWTH ** Math.max(0, attempts - 1), DELAY_MAX_MS);
  const delayMs = Math.max(wholeMs * (0.5 + random / 2), retryAfterMs(retryAfter, nowMs));
  const nextMs = Math.round(nowMs + delayMs);
  return nextMs - sinceMs > RETRIED_MS ? null : nextMs;
}

/** What the header asks for; 0 when it says nothing that is understood. */
export function retryAfterMs(header: string | null, nowMs: number): number {
  const text = header?.trim() ?? '';
  const askedMs = /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - nowMs;
  return Number.isNaN(askedMs) ? 0 : Math.min(Math.max(askedMs, 0), RETRY_AFTER_MAX_MS);
}
