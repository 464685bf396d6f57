import { StoreError } from '../model/errors.ts';
import type { SnapshotDraft } from '../store/snapshots/snapshots.ts';
import type { FoldSnapshots, ShadowPlan } from './fold-snapshots.ts';
import type { IngestionHooks } from './ingestion-run.ts';
import type { IngestionStore } from './ingestion-store.ts';
import { ShadowError, ShadowProcess } from './shadow-process.ts';

/** Dependencies of shadow snapshots. */
export interface ShadowSurroundings {
  readonly log: Pick<IngestionStore['log'], 'readEncoded'>;
  readonly snapshots: FoldSnapshots;
  /** Runs `work` while nothing is folded or written. */
  readonly exclusively: (work: () => Promise<void>) => Promise<void>;
}

/**
 * Makes snapshots while there are revertible slots: a shadow fold in a separate process receives
 * the final slots of the log since the last snapshot and writes the next one (0013). The live fold
 * only waits for the renaming of the new file. Only one runs at a time.
 */
export class ShadowSnapshots {
  private readonly surroundings: ShadowSurroundings;
  private running: Promise<void> | null = null;
  private shadow: ShadowProcess | null = null;
  private failure: unknown = null;

  constructor(surroundings: ShadowSurroundings) {
    this.surroundings = surroundings;
  }

  get isRunning(): boolean {
    return this.running !== null;
  }

  /** Last reported resident memory of the process in bytes; 0 while none is running. */
  get residentBytes(): number {
    return this.shadow?.residentBytes ?? 0;
  }

  /** Throws the error of a failed run, if it is more than a missing snapshot. */
  assertWell(): void {
    if (this.failure !== null) throw this.failure;
  }

  /** Starts in the background. Throws Error while one is running. */
  start(plan: ShadowPlan, hooks: IngestionHooks): void {
    if (this.running !== null) throw new Error('a shadow fold is running already');
    const shadow = new ShadowProcess(plan.start);
    this.shadow = shadow;
    this.running = this.run(shadow, plan, hooks)
      .catch((error: unknown) => {
        this.failure = error;
      })
      .finally(() => {
        this.running = null;
      });
  }

  /** Discards the running shadow fold, which no longer matches the log. */
  cancel(): void {
    const { shadow } = this;
    this.shadow = null;
    // `run` waits for its end.
    void shadow?.close();
  }

  /** Cancels and waits for the end. Must not be called within `exclusively`. */
  async stop(): Promise<void> {
    this.cancel();
    await this.running;
  }

  private async run(shadow: ShadowProcess, plan: ShadowPlan, hooks: IngestionHooks): Promise<void> {
    const { snapshots, exclusively } = this.surroundings;
    try {
      const draft = await this.fold(shadow, plan);
      await shadow.close();
      await exclusively(async () => {
        if (this.shadow === shadow) await snapshots.keep(draft);
      });
    } catch (error) {
      if (!(error instanceof ShadowError || error instanceof StoreError)) throw error;
      if (this.shadow !== shadow) return;
      if (error instanceof ShadowError && error.isBaseUnreadable) snapshots.refuseNewest();
      // Closed before reporting, so that the next slot can start another shadow fold.
      await shadow.close();
      const isFirst = snapshots.failed(error);
      const sentence = `The state after slot ${plan.toSlot} is not kept: ${error.message}`;
      if (isFirst) hooks.onSnapshotProblem?.(sentence);
    } finally {
      await shadow.close();
      if (this.shadow === shadow) this.shadow = null;
    }
  }

  /** Reads the next slots while the process folds the previous ones. */
  private async fold(shadow: ShadowProcess, plan: ShadowPlan): Promise<SnapshotDraft> {
    const { fromSlot, toSlot } = plan;
    let folding = shadow.ready();
    // Handled below, unless reading fails first or the process ends while something is read.
    const ignore = () => undefined;
    folding.catch(ignore);
    for await (const encoded of this.surroundings.log.readEncoded(fromSlot, toSlot)) {
      await folding;
      folding = shadow.fold(encoded);
      folding.catch(ignore);
    }
    await folding;
    const draft = await shadow.write();
    const { slot } = draft.head;
    if (slot !== toSlot) throw new ShadowError(`it ended at slot ${slot}`);
    return draft;
  }
}
