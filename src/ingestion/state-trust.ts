import type { RetainedState } from '../model/record-store.ts';
import { asSlot, type Slot } from '../model/units.ts';
import { type FoldedSlotName, lastSharedSlot } from '../store/control/fold-layers.ts';
import type { IngestionHooks } from './ingestion-run.ts';
import type { LiveFold } from './live-fold.ts';
import type { Refolding } from './refolding.ts';

/**
 * What is done with a state that others, with a state of their own, contradict: nothing is answered
 * from it, and it is computed again from an earlier one.
 */
export class StateTrust {
  private readonly live: LiveFold;
  private readonly refolding: Refolding;
  private reason: string | null = null;

  constructor(live: LiveFold, refolding: Refolding) {
    this.live = live;
    this.refolding = refolding;
  }

  /** Why nothing may be answered from the state although it is complete; null: everything may. */
  get suspension(): string | null {
    return this.reason;
  }

  suspend(reason: string | null): void {
    this.reason = reason;
  }

  /** Number of the fold whose rows are visible. */
  get epoch(): number {
    return this.live.cursor.epoch;
  }

  /** The checkpoints from which the log can be folded again, newest first. */
  get retained(): readonly RetainedState[] {
    return this.live.state.retained;
  }

  /** Whether the log can be folded from its first slot. */
  get isLogWhole(): boolean {
    return this.live.store.logStart.slot === null;
  }

  /** The newest slot up to that of a state after which its fold is still the current one. */
  lastSharedSlot(state: FoldedSlotName): Slot | null {
    return lastSharedSlot(this.live.cursor, state);
  }

  /**
   * Folds the log after a slot again, because the state is wrong: stored states after it are
   * removed, and the rows are replaced. Null: the whole log. No source may be ingested meanwhile. If
   * aborted, the next start does it. Rejects with StoreError if the log does not suffice.
   */
  async refoldAfter(slot: Slot | null, hooks: IngestionHooks): Promise<void> {
    const { live } = this;
    live.state.follow(hooks);
    await live.exclusively(async () => {
      await live.writing.finish();
      // Recorded first: a kill in between costs a refold, and leaves no wrong state that is trusted.
      await live.noteDirty(asSlot((slot ?? -1) + 1));
      await live.state.removeAfter(slot);
    });
    await this.refolding.untilClean(hooks);
  }
}
