/** A checkpoint's place in time. */
export interface CheckpointTime {
  readonly slot: number;
  readonly timeMs: number;
}

const NEWEST = 2;
const GAP_MAX_MS = 30 * 60_000;
const COVERED_MS = 2 * 60 * 60_000;
/** The oldest age, except of the newest two. */
export const AGE_MAX_MS = COVERED_MS + GAP_MAX_MS;

/**
 * Chooses the checkpoints to retain, newest first: the newest two; then so that for every age up to
 * two hours there is one that is older, but not more than twice as old and not by more than half an
 * hour, as far as the given ones allow. Ages are those at the time of the newest. Repeated choices
 * preserve this, because with the time that passes the ages of two neighbours become more alike.
 */
export function retainedCheckpoints<Time extends CheckpointTime>(
  checkpoints: readonly Time[],
): Time[] {
  const newestFirst = checkpoints.toSorted((one, other) => other.slot - one.slot);
  const retained = newestFirst.slice(0, NEWEST);
  const nowMs = newestFirst[0]?.timeMs ?? 0;
  const ageOf = ({ timeMs }: CheckpointTime) => Math.max(0, nowMs - timeMs);
  let ageMs = Math.max(0, ...retained.map(ageOf));
  let next = NEWEST;
  while (next < newestFirst.length && ageMs < COVERED_MS) {
    const limitMs = ageMs + Math.min(ageMs, GAP_MAX_MS);
    const beyond = newestFirst.findIndex((each, at) => at >= next && ageOf(each) > limitMs);
    // The oldest within the limit; if there is none, the gap cannot be smaller than to the next.
    const at = Math.max(next, (beyond < 0 ? newestFirst.length : beyond) - 1);
    const chosen = newestFirst[at];
    if (chosen === undefined || ageOf(chosen) > AGE_MAX_MS) break;
    retained.push(chosen);
    ageMs = Math.max(ageMs, ageOf(chosen));
    next = at + 1;
  }
  return retained;
}
