import type { IngestionHooks } from './ingestion-run.ts';

const REFOLD_AFTER_MS = 5_000;

/** What is folded again, and when it has to be. */
export interface Refoldable {
  /** The log holds slots that the fold has not seen in order. */
  isDirty(): boolean;
  /** For how long no such slot has come. */
  quietMs(): number;
  /** Folds the whole log again; stopped by the signal it leaves everything as it was. */
  refold(hooks: IngestionHooks): Promise<void>;
}

/** Has the log folded again when late slots are in it, one time after the other. */
export class Refolding {
  private readonly work: Refoldable;
  private running: Promise<void> | null = null;
  private failure: unknown = null;

  constructor(work: Refoldable) {
    this.work = work;
  }

  get isRunning(): boolean {
    return this.running !== null;
  }

  /** Throws what a re-fold failed with that nobody waited for. */
  assertWell(): void {
    if (this.failure !== null) throw this.failure;
  }

  /** Begins when no late slot has come for a while; beside the live fold, without waiting. */
  startWhenQuiet(hooks: IngestionHooks): void {
    if (!this.work.isDirty() || this.isRunning) return;
    if (this.work.quietMs() < (hooks.refoldAfterMs ?? REFOLD_AFTER_MS)) return;
    this.untilClean(hooks).catch((error: unknown) => {
      this.failure = error;
    });
  }

  /** Until the fold has seen every slot of the log in order, or the run is stopped. */
  async untilClean(hooks: IngestionHooks): Promise<void> {
    while (this.work.isDirty() && hooks.signal?.aborted !== true) {
      this.running ??= this.work.refold(hooks).finally(() => {
        this.running = null;
      });
      await this.running;
    }
  }

  /** Until the one that runs has ended, whatever way. */
  async settled(): Promise<void> {
    await this.running?.catch(() => undefined);
  }
}
