import { exp } from '../random/portable-math.ts';
import type { Random } from '../random/random.ts';

export interface PricePathOptions {
  /** Start of the path, milliseconds since 1970. */
  readonly startMs: number;
  readonly startUsd: number;
  /** Standard deviation of the logarithm over a year. */
  readonly yearlyVolatility: number;
  readonly jumpsPerDay: number;
  /** Standard deviation of the logarithm of a jump. */
  readonly jumpSize: number;
}

const STEP_MS = 1_000;
const YEAR_MS = 365.25 * 86_400_000;
const DAY_MS = 86_400_000;

/**
 * The price of a SOL in dollars: geometric Brownian motion in steps of a second, with jumps (Merton
 * 1976). Only one step is kept, so time only goes forward.
 */
export class PricePath {
  private readonly random: Random;
  private readonly options: PricePathOptions;
  private stepMs: number;
  private priceUsd: number;
  private nextJumpMs: number;

  constructor(random: Random, options: PricePathOptions) {
    this.random = random;
    this.options = options;
    this.stepMs = options.startMs;
    this.priceUsd = options.startUsd;
    this.nextJumpMs = options.startMs + this.untilJump();
  }

  /** The price at a time; for a time before the last requested one, the price at that one. */
  at(timeMs: number): number {
    while (this.stepMs + STEP_MS <= timeMs) this.step();
    return this.priceUsd;
  }

  private step(): void {
    const { yearlyVolatility, jumpSize } = this.options;
    this.stepMs += STEP_MS;
    const sigma = yearlyVolatility * Math.sqrt(STEP_MS / YEAR_MS);
    let change = sigma * this.random.normal() - (sigma * sigma) / 2;
    if (this.stepMs >= this.nextJumpMs) {
      change += jumpSize * this.random.normal();
      this.nextJumpMs = this.stepMs + this.untilJump();
    }
    this.priceUsd *= exp(change);
  }

  private untilJump(): number {
    const { jumpsPerDay } = this.options;
    return jumpsPerDay > 0
      ? this.random.exponential(DAY_MS / jumpsPerDay)
      : Number.POSITIVE_INFINITY;
  }
}
