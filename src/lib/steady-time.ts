/** Of a clock that nobody sets: when it began, by the time of day at the start of the process. */
const BEGAN_MS = Date.now() - performance.now();

/** The time of day as it would be had nobody set the machine's clock since the process began. */
export function steadyNowMs(): number {
  return BEGAN_MS + performance.now();
}

/** Two opinions on what time it is, which differ once the machine's clock was set. */
export interface NowByTwo {
  /** As the machine's clock has it. */
  readonly wallMs: number;
  readonly steadyMs: number;
}

/** What is younger than this is of now, by a clock that is a little off. */
const TOLERANCE_MS = 5_000;

/**
 * How long something was ago, by the clock that fits it. Where the two differ, the clock was set: what
 * would lie in the future shows which is wrong, else the one by which it is younger is believed, since
 * a clock that jumped ahead makes nothing old. Never below 0.
 */
export function ageMs(timeMs: number, { wallMs, steadyMs }: NowByTwo): number {
  const ages = [wallMs - timeMs, steadyMs - timeMs].filter((age) => age >= -TOLERANCE_MS);
  return ages.length === 0 ? 0 : Math.max(0, Math.round(Math.min(...ages)));
}

/** By how much the clock was set since the process began; 0 for what is no more than drift. */
export function clockStepMs({ wallMs, steadyMs }: NowByTwo): number {
  const stepMs = Math.round(wallMs - steadyMs);
  return Math.abs(stepMs) < TOLERANCE_MS ? 0 : stepMs;
}
