import { StoreError } from '../model/errors.ts';
import type { SnapshotDraft } from '../store/snapshots/snapshots.ts';
import type { FoldSnapshots, ShadowPlan } from './fold-snapshots.ts';
import type { IngestionHooks } from './ingestion-run.ts';
import type { IngestionStore } from './ingestion-store.ts';
import { ShadowError, ShadowProcess } from './shadow-process.ts';

/** What a shadow fold works with. */
export interface ShadowSurroundings {
  readonly log: Pick<IngestionStore['log'], 'readEncoded'>;
  readonly snapshots: FoldSnapshots;
  /** Runs while nothing is folded or written. */
  readonly exclusively: (work: () => Promise<void>) => Promise<void>;
}

/**
 * Keeps snapshots while slots are held that may be taken back: a shadow fold in a process of its own
 * gets the final slots of the log since the last snapshot and writes the next one (0013). The live
 * fold waits for nothing but the new file's name. Only one runs at a time.
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

  /** Resident memory of its process in bytes, as last told; 0 while none runs. */
  get residentBytes(): number {
    return this.shadow?.residentBytes ?? 0;
  }

  /** Throws what one failed with that is no reason for doing without a snapshot. */
  assertWell(): void {
    if (this.failure !== null) throw this.failure;
  }

  /** Begins, without waiting. Throws Error while one is running. */
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

  /** What is being made will not fit the log: it is thrown away. */
  cancel(): void {
    const { shadow } = this;
    this.shadow = null;
    // Its end is what `run` waits for.
    void shadow?.close();
  }

  /** Cancels, and waits until nothing of it is left. Not while the caller lets nothing be written. */
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
      // Who hears of it may count on the next slot to begin another.
      await shadow.close();
      const isFirst = snapshots.failed(error);
      const sentence = `The state after slot ${plan.toSlot} is not kept: ${error.message}`;
      if (isFirst) hooks.onSnapshotProblem?.(sentence);
    } finally {
      await shadow.close();
      if (this.shadow === shadow) this.shadow = null;
    }
  }

  /** The next slots are read while the process folds those before. */
  private async fold(shadow: ShadowProcess, plan: ShadowPlan): Promise<SnapshotDraft> {
    const { fromSlot, toSlot } = plan;
    let folding = shadow.ready();
    // Waited for below, unless reading fails first or the process ends while something is read.
    const heard = () => undefined;
    folding.catch(heard);
    for await (const encoded of this.surroundings.log.readEncoded(fromSlot, toSlot)) {
      await folding;
      folding = shadow.fold(encoded);
      folding.catch(heard);
    }
    await folding;
    const draft = await shadow.write();
    const { slot } = draft.head;
    if (slot !== toSlot) throw new ShadowError(`it ended at slot ${slot}`);
    return draft;
  }
}
