import { DECODER_VERSION } from '../decoders/registry.ts';
import type { Fold } from './fold.ts';
import type { IngestionStore } from './ingestion-store.ts';
import type { WriteRecovery } from './write-recovery.ts';
import { Writing } from './writing.ts';

/** Folds the log after the end of a new fold into it. */
export class Refold {
  readonly fold: Fold;
  /** Number of its slots decoded by older decoders. */
  olderSlots: number;
  private readonly store: IngestionStore;
  private readonly recovery: WriteRecovery;
  /** Resolves when no rows of abandoned folds with this number are left. */
  private readonly prepared: Promise<void>;
  private readonly writing = new Writing(() => this.write());
  private slots = 0;

  /** `olderSlots`: of the slots that the fold has already applied. */
  constructor(
    store: IngestionStore,
    { fold, olderSlots }: { readonly fold: Fold; readonly olderSlots: number },
    recovery: WriteRecovery,
  ) {
    this.store = store;
    this.fold = fold;
    this.olderSlots = olderSlots;
    this.recovery = recovery;
    this.prepared = store.epochs.prepare(fold.epoch);
    // Folding begins meanwhile; a failure is thrown by the first write.
    this.prepared.catch(() => undefined);
  }

  /** Folds the rest of the log without yielding to other tasks. */
  async catchUp(): Promise<void> {
    const steps = this.run();
    while ((await steps.next()).done !== true);
  }

  /**
   * Continues where it stopped, and yields the number of slots after each. Rows of one portion are
   * written while the next is folded; nothing is being written or removed when it ends or is left.
   */
  async *run(): AsyncGenerator<number> {
    const { fold, store, writing } = this;
    try {
      for await (const facts of store.log.read((fold.end?.slot ?? -1) + 1)) {
        if (facts.decoderVersion < DECODER_VERSION) this.olderSlots++;
        await fold.addFinal(facts, true);
        if (fold.isFull) await this.writeReady();
        yield ++this.slots;
      }
      await writing.finish();
    } finally {
      await Promise.allSettled([this.prepared, writing.settled()]);
    }
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
    await recovery.run(() => store.cursor.write(store.cursor.read(), marks));
    fold.written();
  }
}
