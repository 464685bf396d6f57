/** When off-chain jobs are retried, abandoned and repeated (docs/decisions/0027). */

export const JOB_KINDS = ['metadata', 'picture', 'link'] as const;
export type JobKind = (typeof JOB_KINDS)[number];

/** Consecutive failures after which a job is dead, five to ten hours after the first. */
export const ATTEMPTS_MAX = 8;

const FIRST_DELAY_MS = 10_000;
const DELAY_GROWTH = 4;
const DELAY_MAX_MS = 6 * 3_600_000;
/** A longer `Retry-After` than this is not followed. */
const ASKED_MAX_MS = 3_600_000;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Intervals between repeated reads, growing because changes happen early. */
const REREADS: Readonly<Record<JobKind, readonly number[]>> = {
  metadata: [5 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS, DAY_MS, 7 * DAY_MS],
  picture: [DAY_MS, 7 * DAY_MS],
  link: [HOUR_MS, DAY_MS, 7 * DAY_MS],
};

/**
 * The delay after `attempts` consecutive failures: exponential backoff with jitter between half and
 * all of it, so that jobs that failed together are not retried together. `random` is from 0 to 1;
 * `askedMs` is the delay that the server requested.
 */
export function retryDelayMs(attempts: number, random: number, askedMs: number | null): number {
  const grown = Math.min(FIRST_DELAY_MS * DELAY_GROWTH ** Math.max(0, attempts - 1), DELAY_MAX_MS);
  const jittered = Math.round((grown / 2) * (1 + random));
  return Math.max(jittered, Math.min(askedMs ?? 0, ASKED_MAX_MS));
}

/**
 * The delay until content that was read `reads` times is read again; null: never. Content-addressed
 * content (`isLasting`) cannot change.
 */
export function rereadDelayMs(kind: JobKind, reads: number, isLasting: boolean): number | null {
  if (isLasting || reads < 1) return null;
  return REREADS[kind][reads - 1] ?? null;
}
