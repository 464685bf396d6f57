export interface OutageWatchOptions {
  /** Those who bring blocks. */
  readonly origin: () => string;
  readonly onNotice?: ((sentence: string) => void) | undefined;
}

/** Tells once when nobody brings blocks any more, and once when somebody does again. */
export class OutageWatch {
  private readonly options: OutageWatchOptions;
  private sinceMs: number | null = null;
  private outageCount = 0;

  constructor(options: OutageWatchOptions) {
    this.options = options;
  }

  get isOut(): boolean {
    return this.sinceMs !== null;
  }

  /** Since the start. */
  get outages(): number {
    return this.outageCount;
  }

  observe(isAnyThere: boolean, nowMs: number): void {
    const { origin, onNotice } = this.options;
    if (isAnyThere && this.sinceMs !== null) {
      const seconds = Math.round((nowMs - this.sinceMs) / 1_000);
      this.sinceMs = null;
      onNotice?.(`Blocks can be had again after ${seconds} s.`);
    } else if (!isAnyThere && this.sinceMs === null) {
      this.sinceMs = nowMs;
      this.outageCount++;
      onNotice?.(
        `Nobody brings blocks any more (${origin()}): answers become older until one of them is back. They are tried again and again; see /readyz for how each fares.`,
      );
    }
  }
}
