/** Runs writes in the background, one at a time, while folding continues. */
export class Writing {
  private readonly write: () => Promise<void>;
  private running: Promise<void> | null = null;
  private failure: unknown = null;

  /** `write` writes everything that is ready when it is called, and resolves when it is stored. */
  constructor(write: () => Promise<void>) {
    this.write = write;
  }

  /** Throws the error of a failed background write. */
  assertWell(): void {
    if (this.failure !== null) throw this.failure;
  }

  /** Starts writing what is ready. Does nothing while a write is running or after one failed. */
  start(): void {
    if (this.failure !== null || this.running !== null) return;
    this.run(this.write);
  }

  /**
   * Starts other work on the stored rows in place of a write, after `finish`. Resolves when it has
   * ended; throws its error, as do later writes.
   */
  async begin(work: () => Promise<void>): Promise<void> {
    this.assertWell();
    this.run(work);
    await this.running;
    this.assertWell();
  }

  /** Resolves when the running write has ended. */
  async settled(): Promise<void> {
    await this.running;
  }

  /** Writes everything that is ready now. `start` must not be called meanwhile. */
  async finish(): Promise<void> {
    await this.running;
    this.assertWell();
    await this.write();
  }

  private run(work: () => Promise<void>): void {
    this.running = work()
      .catch((error: unknown) => {
        this.failure = error;
      })
      .finally(() => {
        this.running = null;
      });
  }
}
