export interface PaceOptions {
  /** Upper bound of the wait after the first failure; doubles with each further one. */
  readonly delayMinMs: number;
  readonly delayMaxMs: number;
  readonly attemptsPerMinute: number;
  /** Returns numbers in [0, 1). */
  readonly random: () => number;
}

const MINUTE_MS = 60_000;

/**
 * Decides when to subscribe again. Waits grow with every attempt without data, connected or not: a
 * server that accepts and then refuses must not be flooded. Full jitter, so the clients of a
 * restarted server do not all return at once.
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

  /** Records an attempt. It counts as failed until there is data. */
  noteAttempt(nowMs: number): void {
    if (!this.isFirst) this.failures++;
    this.isFirst = false;
    this.attempts.push(nowMs);
    this.attempts = this.attempts.slice(-this.options.attemptsPerMinute);
  }

  noteData(): void {
    this.failures = 0;
  }

  /** Sets the longest wait until there is data. */
  noteDenial(): void {
    this.failures = DOUBLINGS_MAX;
  }
}

const DOUBLINGS_MAX = 30;
