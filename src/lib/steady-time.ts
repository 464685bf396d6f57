import { readFileSync } from 'node:fs';

/** The time sources of a steady clock. */
export interface SteadyClockParts {
  readonly wallNowMs: () => number;
  /** A monotonic clock that may stop while the machine sleeps. */
  readonly awakeNowMs: () => number;
  /** Time since the machine started, including sleep; null if unknown. */
  readonly uptimeMs: () => number | null;
}

const READ_EVERY_MS = 1_000;
/** Shorter differences are within the delay between two clock readings on a busy machine. */
const SLEPT_MIN_MS = 1_000;

/** The time of day, unaffected by changes of the system clock since this object was created. */
export class SteadyClock {
  private readonly parts: SteadyClockParts;
  private readonly beganMs: number;
  /** Uptime minus time awake at the first reading; null until known. */
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

/** On Linux this includes sleep (CLOCK_BOOTTIME); other systems do not have the file. */
function readUptimeMs(): number | null {
  try {
    const seconds = Number.parseFloat(readFileSync('/proc/uptime', 'latin1'));
    return Number.isFinite(seconds) ? seconds * 1_000 : null;
  } catch {
    // The file does not exist or no descriptor is available: only the time awake is known.
    return null;
  }
}

const CLOCK = new SteadyClock({
  wallNowMs: Date.now,
  awakeNowMs: () => performance.now(),
  uptimeMs: readUptimeMs,
});

/** The time of day, unaffected by changes of the system clock since the process started. */
export function steadyNowMs(): number {
  return CLOCK.nowMs();
}

/** Two readings of the current time, which differ once the system clock was set. */
export interface NowByTwo {
  /** Time of the system clock. */
  readonly wallMs: number;
  readonly steadyMs: number;
}

/** Tolerance for times slightly in the future, from clocks that are a little off. */
const TOLERANCE_MS = 5_000;

/**
 * Milliseconds since `timeMs`, by the more plausible clock. If the two clocks differ, one by which
 * `timeMs` lies in the future is ignored; otherwise the smaller age is used, because a system clock
 * that jumped ahead must not make anything old. Never negative.
 */
export function ageMs(timeMs: number, { wallMs, steadyMs }: NowByTwo): number {
  const ages = [wallMs - timeMs, steadyMs - timeMs].filter((age) => age >= -TOLERANCE_MS);
  return ages.length === 0 ? 0 : Math.max(0, Math.round(Math.min(...ages)));
}

/**
 * How far the system clock was set since the process started; 0 if the difference is mere drift.
 */
export function clockStepMs({ wallMs, steadyMs }: NowByTwo): number {
  const stepMs = Math.round(wallMs - steadyMs);
  return Math.abs(stepMs) < TOLERANCE_MS ? 0 : stepMs;
}
