export interface PollPaceOptions {
  readonly leastMs: number;
  readonly mostMs: number;
}

/** Share of a new observation in the running mean. */
const WEIGHT = 0.2;

/**
 * How often to poll for new blocks: twice as often as they were observed to arrive. Nothing is
 * assumed about the duration of a slot, which the network may change.
 */
export class PollPace {
  private readonly options: PollPaceOptions;
  private blockMs: number | null = null;
  private lastFoundMs: number | null = null;
  private emptyPolls = 0;

  constructor(options: PollPaceOptions) {
    this.options = options;
  }

  /** Time until the next poll. Grows while polls return nothing new. */
  get intervalMs(): number {
    const { leastMs, mostMs } = this.options;
    const halfBlockMs = (this.blockMs ?? leastMs * 2) / 2;
    const excessPolls = Math.max(0, this.emptyPolls - 2);
    return Math.min(mostMs, Math.max(leastMs, halfBlockMs) * 1.5 ** Math.min(excessPolls, 20));
  }

  /** Records that a poll returned this many new slots. */
  observe(newSlots: number, nowMs: number): void {
    if (newSlots === 0) {
      this.emptyPolls++;
      return;
    }
    this.emptyPolls = 0;
    if (this.lastFoundMs !== null) {
      const ms = (nowMs - this.lastFoundMs) / newSlots;
      this.blockMs = this.blockMs === null ? ms : this.blockMs + (ms - this.blockMs) * WEIGHT;
    }
    this.lastFoundMs = nowMs;
  }
}
