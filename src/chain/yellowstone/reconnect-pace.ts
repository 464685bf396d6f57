export interface PaceOptions {
  /** Longest wait after the first failure; doubles with each further one. */
  readonly delayMinMs: number;
  readonly delayMaxMs: number;
  readonly attemptsPerMinute: number;
  /** From 0 to below 1. */
  readonly random: () => number;
}

const MINUTE_MS = 60_000;

/**
 * When to subscribe again. Waits grow with every attempt that brought no data, whether or not it
 * connected: a server that accepts and then refuses is not to be stormed. Full jitter, so that the
 * clients of a server that restarts do not come back together.
 */
export class ReconnectPace {
  private readonly options: PaceOptions;
  private attempts: number[] = [];
  private failures = 0;
  private isFirst = true;

  constructor(options: PaceOptions) {
    this.options = options;
  }

  /** Milliseconds to wait before the next attempt. */
  delayMs(nowMs: number): number {
    const { attemptsPerMinute, delayMaxMs, delayMinMs, random } = this.options;
    const limitMs = Math.min(delayMaxMs, delayMinMs * 2 ** Math.min(this.failures, DOUBLINGS_MAX));
    const jitterMs = this.isFirst ? 0 : Math.ceil(random() * limitMs);
    const oldest = this.attempts.at(-attemptsPerMinute);
    const budgetMs = oldest === undefined ? 0 : oldest + MINUTE_MS - nowMs;
    return Math.max(0, jitterMs, budgetMs);
  }

  /** An attempt is made now. It counts as failed until there is data. */
  noteAttempt(nowMs: number): void {
    if (!this.isFirst) this.failures++;
    this.isFirst = false;
    this.attempts.push(nowMs);
    this.attempts = this.attempts.slice(-this.options.attemptsPerMinute);
  }

  noteData(): void {
    this.failures = 0;
  }

  /** Waits are as long as they get until there is data. */
  noteDenial(): void {
    this.failures = DOUBLINGS_MAX;
  }
}

const DOUBLINGS_MAX = 30;
