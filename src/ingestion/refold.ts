import { DECODER_VERSION } from '../decoders/registry.ts';
import { asSlot, type Slot } from '../model/units.ts';
import type { Fold } from './fold.ts';
import type { FoldPosition, IngestionHooks } from './ingestion-run.ts';
import type { IngestionStore } from './ingestion-store.ts';
import type { LateSlots } from './late-slots.ts';
import type { FoldProgress, StateCheckpoints } from './state-checkpoints.ts';
import { awaitWrites, type WaitingRecords } from './waiting-writes.ts';
import type { WriteRecovery } from './write-recovery.ts';
import { Writing } from './writing.ts';

/** Dependencies of a refold. */
export interface RefoldSurroundings {
  readonly store: IngestionStore;
  readonly recovery: WriteRecovery;
  /** Those of the engine of the new fold; null if its state is not stored meanwhile. */
  readonly checkpoints: StateCheckpoints | null;
  /** Those of the state of that engine; null if it is not stored. */
  readonly records: WaitingRecords | null;
  /** Slots that are removed from the log since it began: it may have folded them. */
  readonly lateSlots: Pick<LateSlots, 'removed'>;
}

/**
 * How a refold ended. `repeat`: its rows cannot be completed, and the whole log must be folded;
 * `again`: they can be from an earlier start.
 */
export type RefoldOutcome = 'done' | 'repeat' | 'again' | 'aborted';

/** Reports the begin and the end of `run`; what another refold follows at once has no end. */
export async function reportRefold(
  { fold: { end }, lastSlot }: Refold,
  { onRefold }: Pick<IngestionHooks, 'onRefold'>,
  run: () => Promise<RefoldOutcome>,
): Promise<RefoldOutcome> {
  const fromSlot = end === null ? null : asSlot(end.slot + 1);
  onRefold?.({ kind: 'began', fromSlot, lastSlot });
  const outcome = await run();
  if (outcome === 'done' || outcome === 'aborted') {
    onRefold?.({ kind: 'ended', fromSlot, isStopped: outcome === 'aborted' });
  }
  return outcome;
}

/** Folds the log after the end of a new fold into it. */
export class Refold {
  readonly fold: Fold;
  /** The last slot with rows when it began; null without one. */
  readonly lastSlot: Slot | null;
  /** Number of its slots decoded by older decoders. */
  olderSlots: number;
  private readonly store: IngestionStore;
  private readonly recovery: WriteRecovery;
  private readonly checkpoints: StateCheckpoints | null;
  private readonly records: WaitingRecords | null;
  private readonly lateSlots: RefoldSurroundings['lateSlots'];
  /** Resolves when no rows of abandoned folds with this number are left. */
  private readonly prepared: Promise<void>;
  private readonly writing = new Writing(() => this.write());
  /** Number of slots that it has folded. */
  slots = 0;

  /** `olderSlots`: of the slots that the fold has already applied. */
  constructor(
    { store, recovery, checkpoints, records, lateSlots }: RefoldSurroundings,
    { fold, olderSlots }: { readonly fold: Fold; readonly olderSlots: number },
  ) {
    this.store = store;
    this.fold = fold;
    this.olderSlots = olderSlots;
    this.recovery = recovery;
    this.checkpoints = checkpoints;
    this.records = records;
    this.lateSlots = lateSlots;
    this.lastSlot = store.cursor.read().slot;
    this.prepared = store.epochs.prepare(fold.epoch);
    // Folding begins meanwhile; a failure is thrown by the first write.
    this.prepared.catch(() => undefined);
  }

  /** Folds the rest of the log without yielding to other tasks. */
  async catchUp(): Promise<void> {
    const steps = this.foldLog();
    while ((await steps.next()).done !== true);
  }

  /**
   * Continues where it stopped, and yields its position after each slot. Rows of one portion are
   * written while the next is folded; nothing is being written or removed when it ends or is left.
   * The state is stored meanwhile and at the end: it may be that of a month, which a kill after the
   * new fold took over would cost. Throws StoreError.
   */
  async *run(): AsyncGenerator<FoldPosition> {
    const { checkpoints, records, recovery, lastSlot } = this;
    try {
      for await (const slot of this.foldLog()) {
        await checkpoints?.step(this.progress);
        await awaitWrites(records, recovery);
        this.assertState();
        yield { slot, lastSlot };
      }
      await checkpoints?.complete(this.progress);
      this.assertState();
    } finally {
      checkpoints?.abort();
      await checkpoints?.settled();
    }
  }

  private async *foldLog(): AsyncGenerator<Slot> {
    const { fold, store, writing } = this;
    try {
      for await (const facts of store.log.read((fold.end?.slot ?? -1) + 1)) {
        if (facts.decoderVersion < DECODER_VERSION) this.olderSlots++;
        await fold.addFinal(facts, true);
        if (fold.isFull) await this.writeReady();
        this.slots++;
        yield facts.slot;
      }
      await writing.finish();
    } finally {
      await Promise.allSettled([this.prepared, writing.settled()]);
    }
  }

  /** All that it has folded is in the log. */
  private get progress(): FoldProgress {
    const { fold, olderSlots } = this;
    return { fold, cursor: { slot: fold.end?.slot ?? null, isDirty: false }, olderSlots };
  }

  private assertState(): void {
    const failure = this.checkpoints?.engineFailure ?? null;
    if (failure !== null) throw failure;
  }

  /** Starts writing what is ready, after what was ready before. */
  private async writeReady(): Promise<void> {
    await this.writing.settled();
    this.writing.assertWell();
    this.writing.start();
  }

  private async write(): Promise<void> {
    const { fold, store, recovery } = this;
    await this.prepared;
    const { changes, marks } = fold.take();
    await store.writer.writeBatch({ epoch: fold.epoch, slots: [], changes });
    await recovery.run(() =>
      store.cursor.write(store.cursor.read(), [...marks, ...this.lateSlots.removed]),
    );
    fold.written();
  }
}
