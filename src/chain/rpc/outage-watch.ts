export interface OutageWatchOptions {
  /** The sources of blocks. */
  readonly origin: () => string;
  /** Why each of them fails and what to do about it, as sentences. */
  readonly reasons: () => readonly string[];
  readonly onNotice?: ((sentence: string) => void) | undefined;
}

/** Notifies once when no source delivers blocks any more, and once when one does again. */
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
    const { origin, reasons, onNotice } = this.options;
    if (isAnyThere && this.sinceMs !== null) {
      const seconds = Math.round((nowMs - this.sinceMs) / 1_000);
      this.sinceMs = null;
      onNotice?.(`Blocks are available again after ${seconds} s.`);
    } else if (!isAnyThere && this.sinceMs === null) {
      this.sinceMs = nowMs;
      this.outageCount++;
      onNotice?.(
        [
          `No blocks arrive (${origin()}): answers get older until one of these answers. Attempts continue; see /readyz for the state of each.`,
          ...reasons(),
        ].join(' '),
      );
    }
  }
}
