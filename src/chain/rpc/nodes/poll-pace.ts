export interface PollPaceOptions {
  readonly leastMs: number;
  readonly mostMs: number;
}

/** Share of a new observation in the running mean. */
const WEIGHT = 0.2;

/**
 * How often to ask for new blocks. Learned from how fast they come, twice as often as that; nothing
 * is assumed about how long a slot takes, and the network may change it.
 */
export class PollPace {
  private readonly options: PollPaceOptions;
  private blockMs: number | null = null;
  private lastFoundMs: number | null = null;
  private emptyPolls = 0;

  constructor(options: PollPaceOptions) {
    this.options = options;
  }

  /** Until the next poll. Grows while polls bring nothing. */
  get intervalMs(): number {
    const { leastMs, mostMs } = this.options;
    const halfBlockMs = (this.blockMs ?? leastMs * 2) / 2;
    const patience = Math.max(0, this.emptyPolls - 2);
    return Math.min(mostMs, Math.max(leastMs, halfBlockMs) * 1.5 ** Math.min(patience, 20));
  }

  /** A poll brought this many new slots. */
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
