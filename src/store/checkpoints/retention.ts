/** A checkpoint's place in time. */
export interface CheckpointTime {
  readonly slot: number;
  readonly timeMs: number;
}

const NEWEST = 2;
const GAP_MAX_MS = 10 * 60_000;
const COVERED_MS = 2 * 60 * 60_000;
/** Slots before the newest checkpoint whose states can always be computed (CONTRACT §4.1). */
export const COVERED_SLOTS = 512;
/** The oldest age, except of the newest two and of the one that COVERED_SLOTS need. */
export const AGE_MAX_MS = COVERED_MS + GAP_MAX_MS;

/**
 * Chooses the checkpoints to retain, newest first: the newest two; then so that for every age up to
 * two hours there is one that is older, but not more than twice as old and not by more than ten
 * minutes, as far as the given ones allow. Ages are those at the time of the newest. Repeated choices
 * preserve this, because with the time that passes the ages of two neighbours become more alike.
 *
 * However old, the newest that is at least COVERED_SLOTS before the newest of all is retained as well,
 * or the oldest while there is none: times say nothing about the number of slots between them.
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
  return withCovering(retained, newestFirst);
}

/** Adds the checkpoint from which the states of the newest COVERED_SLOTS slots can be computed. */
function withCovering<Time extends CheckpointTime>(
  retained: readonly Time[],
  newestFirst: readonly Time[],
): Time[] {
  const lastSlot = (newestFirst[0]?.slot ?? 0) - COVERED_SLOTS;
  const covering = newestFirst.find(({ slot }) => slot <= lastSlot) ?? newestFirst.at(-1);
  return newestFirst.filter((each) => each === covering || retained.includes(each));
}
