import { readFileSync } from 'node:fs';

/** What a steady clock is made of. */
export interface SteadyClockParts {
  readonly wallNowMs: () => number;
  /** Of a clock that nobody sets, and that may stand still while the machine sleeps. */
  readonly awakeNowMs: () => number;
  /** Since the machine started, sleep included; null where that is not known. */
  readonly uptimeMs: () => number | null;
}

const READ_EVERY_MS = 1_000;
/** Less is what two clocks that are read one after the other differ by on a busy machine. */
const SLEPT_MIN_MS = 1_000;

/** The time of day as it would be had nobody set the machine's clock since this one was made. */
export class SteadyClock {
  private readonly parts: SteadyClockParts;
  private readonly beganMs: number;
  /** Uptime beyond the time awake; null until it is known. */
  private atFirstMs: number | null;
  private sleptMs = 0;
  private nextReadMs: number;

  constructor(parts: SteadyClockParts) {
    this.parts = parts;
    const awakeMs = parts.awakeNowMs();
    this.beganMs = parts.wallNowMs() - awakeMs;
    this.atFirstMs = this.aheadMs(awakeMs);
    this.nextReadMs = awakeMs + READ_EVERY_MS;
  }

  nowMs(): number {
    const awakeMs = this.parts.awakeNowMs();
    if (awakeMs >= this.nextReadMs) this.noteSleep(awakeMs);
    return this.beganMs + awakeMs + this.sleptMs;
  }

  private noteSleep(awakeMs: number): void {
    this.nextReadMs = awakeMs + READ_EVERY_MS;
    const aheadMs = this.aheadMs(awakeMs);
    if (aheadMs === null) return;
    this.atFirstMs ??= aheadMs;
    const sleptMs = aheadMs - this.atFirstMs;
    if (sleptMs - this.sleptMs >= SLEPT_MIN_MS) this.sleptMs = sleptMs;
  }

  private aheadMs(awakeMs: number): number | null {
    const uptimeMs = this.parts.uptimeMs();
    return uptimeMs === null ? null : uptimeMs - awakeMs;
  }
}

/** Linux counts sleep here (CLOCK_BOOTTIME); elsewhere there is no such file. */
function readUptimeMs(): number | null {
  try {
    const seconds = Number.parseFloat(readFileSync('/proc/uptime', 'latin1'));
    return Number.isFinite(seconds) ? seconds * 1_000 : null;
  } catch {
    // No such file, or no descriptor for it now: the time awake is all that is known.
    return null;
  }
}

const CLOCK = new SteadyClock({
  wallNowMs: Date.now,
  awakeNowMs: () => performance.now(),
  uptimeMs: readUptimeMs,
});

/** The time of day as it would be had nobody set the machine's clock since the process began. */
export function steadyNowMs(): number {
  return CLOCK.nowMs();
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
