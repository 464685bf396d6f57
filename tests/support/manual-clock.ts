/** A clock that advances on command; scheduled work runs in its order. */
export class ManualClock {
  private now: number;
  private readonly due: { readonly atMs: number; readonly work: () => void }[] = [];

  constructor(startMs: number) {
    this.now = startMs;
  }

  readonly nowMs = (): number => this.now;

  readonly after = (ms: number, work: () => void): (() => void) => {
    const entry = { atMs: this.now + ms, work };
    this.due.push(entry);
    return () => {
      const at = this.due.indexOf(entry);
      if (at >= 0) this.due.splice(at, 1);
    };
  };

  /** Advances the time step by step, and waits for the work that starts meanwhile. */
  async pass(ms: number): Promise<void> {
    const endMs = this.now + ms;
    for (;;) {
      await settled();
      const next = this.due.toSorted((one, other) => one.atMs - other.atMs)[0];
      if (next === undefined || next.atMs > endMs) break;
      this.due.splice(this.due.indexOf(next), 1);
      this.now = Math.max(this.now, next.atMs);
      next.work();
    }
    this.now = endMs;
    await settled();
  }
}

async function settled(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}
