/**
 * Writes beside the fold, one at a time: whoever folds goes on while the store takes what was folded
 * before.
 */
export class Writing {
  private readonly write: () => Promise<void>;
  private running: Promise<void> | null = null;
  private failure: unknown = null;

  /** `write` takes everything that is ready when it is called, and resolves when the store holds it. */
  constructor(write: () => Promise<void>) {
    this.write = write;
  }

  /** Throws what a write failed with that nobody waited for. */
  assertWell(): void {
    if (this.failure !== null) throw this.failure;
  }

  /** Begins to write what is ready, without waiting. While a write runs, or after one failed, it does nothing. */
  start(): void {
    if (this.failure !== null) return;
    this.running ??= this.write()
      .catch((error: unknown) => {
        this.failure = error;
      })
      .finally(() => {
        this.running = null;
      });
  }

  /** Until the write that runs has ended, whatever way. */
  async settled(): Promise<void> {
    await this.running;
  }

  /** Until everything that is ready now is written. Nobody may call `start` meanwhile. */
  async finish(): Promise<void> {
    await this.running;
    this.assertWell();
    await this.write();
  }
}
