/**
 * Numbers of messages that all replicas of a log of steps give alike. One step has this many: 2^53 of
 * them last for thirteen years of five steps a second.
 */
export const NUMBERS_PER_STEP = 2 ** 22;

/** The number after all messages of a step and of those before it. */
export function endOfStep(step: number): number {
  return (step + 1) * NUMBERS_PER_STEP - 1;
}

/** Whether a position may be one that this replica has not reached, rather than of another log. */
export function isSoon(position: number, newest: number): boolean {
  return position - newest < STEPS_AHEAD_MAX * NUMBERS_PER_STEP;
}

/** Minutes of the chain. */
const STEPS_AHEAD_MAX = 1_000;
