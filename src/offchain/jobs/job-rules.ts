/** When jobs of off-chain facts are tried again, given up and read again (docs/decisions/0027). */

export const JOB_KINDS = ['metadata', 'picture', 'link'] as const;
export type JobKind = (typeof JOB_KINDS)[number];

/** Failures in a row after which a job is dead; the last of them is five to ten hours after the first. */
export const ATTEMPTS_MAX = 8;

const FIRST_DELAY_MS = 10_000;
const DELAY_GROWTH = 4;
const DELAY_MAX_MS = 6 * 3_600_000;
/** A server that asks for more patience than this is tried again all the same. */
const ASKED_MAX_MS = 3_600_000;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** After which time what was read is read again: what changes does so early. */
const REREADS: Readonly<Record<JobKind, readonly number[]>> = {
  metadata: [5 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS, DAY_MS, 7 * DAY_MS],
  picture: [DAY_MS, 7 * DAY_MS],
  link: [HOUR_MS, DAY_MS, 7 * DAY_MS],
};

/**
 * The wait after `attempts` failures in a row, from half of what has grown to all of it, so that
 * what failed together is not tried together. `random` is from 0 to 1; `askedMs` is what the server
 * asked for.
 */
export function retryDelayMs(attempts: number, random: number, askedMs: number | null): number {
  const grown = Math.min(FIRST_DELAY_MS * DELAY_GROWTH ** Math.max(0, attempts - 1), DELAY_MAX_MS);
  const jittered = Math.round((grown / 2) * (1 + random));
  return Math.max(jittered, Math.min(askedMs ?? 0, ASKED_MAX_MS));
}

/**
 * The wait until what was read `reads` times is read again; null: never. What lies under a name made
 * of its content (`isLasting`) cannot be another.
 */
export function rereadDelayMs(kind: JobKind, reads: number, isLasting: boolean): number | null {
  if (isLasting || reads < 1) return null;
  return REREADS[kind][reads - 1] ?? null;
}
