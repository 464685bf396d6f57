import type { IngestionHooks } from './ingestion-run.ts';

/** Slots of one gap arrive within less of each other; each that comes later costs another refold. */
const REFOLD_AFTER_MS = 2_000;

/** A log to refold, and when it is due. */
export interface Refoldable {
  /** Whether the log contains slots that were not folded in order. */
  isDirty(): boolean;
  /** Milliseconds since the last such slot. */
  quietMs(): number;
  /** Folds the whole log again; if aborted, everything stays unchanged. */
  refold(hooks: IngestionHooks): Promise<void>;
}

/** Refolds the log when it contains late slots, one refold at a time. */
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

  /** Throws the error of a failed background refold. */
  assertWell(): void {
    if (this.failure !== null) throw this.failure;
  }

  /** Starts a refold in the background if no late slot has arrived for a while. */
  startWhenQuiet(hooks: IngestionHooks): void {
    if (!this.work.isDirty() || this.isRunning) return;
    if (this.work.quietMs() < (hooks.refoldAfterMs ?? REFOLD_AFTER_MS)) return;
    this.untilClean(hooks).catch((error: unknown) => {
      this.failure = error;
    });
  }

  /** Refolds until all slots of the log were folded in order, or the run is stopped. */
  async untilClean(hooks: IngestionHooks): Promise<void> {
    while (this.work.isDirty() && hooks.signal?.aborted !== true) {
      this.running ??= this.work.refold(hooks).finally(() => {
        this.running = null;
      });
      await this.running;
    }
  }

  /** Resolves when the running refold has ended, successfully or not. */
  async settled(): Promise<void> {
    await this.running?.catch(() => undefined);
  }
}
