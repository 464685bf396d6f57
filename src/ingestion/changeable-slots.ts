import type { SourceProblem } from '../model/errors.ts';
import type { RetainedState } from '../model/record-store.ts';
import type { SlotRun } from '../model/slot-range.ts';
import { asSlot, type Slot } from '../model/units.ts';
import type { Cursor } from '../store/control/cursor.ts';
import { firstFoldStart } from '../store/control/fold-layers.ts';
import type { KnownLogStart } from '../store/log-start.ts';
import type { Fold } from './fold.ts';

/** Folds that may begin between the arrival of a late slot and the refold from it. */
const FOLDS_BETWEEN = 2;

/** The part of the live fold that decides which slots can change. */
export interface ChangeableFold {
  readonly store: { readonly logStart: KnownLogStart };
  readonly cursor: Cursor;
  readonly fold: Pick<Fold, 'finalSlot'>;
  readonly state: {
    /** The checkpoints of the state, newest first. */
    readonly retained: readonly RetainedState[];
    /** Resolves when no checkpoint is being committed. */
    settled(): Promise<void>;
  };
}

/**
 * The final slots that can still be added, replaced or removed. The log is then folded again from
 * the checkpoint before them; without one, from its first slot, which is not possible once old slots
 * were dropped.
 */
export class ChangeableSlots {
  private readonly live: ChangeableFold;

  constructor(live: ChangeableFold) {
    this.live = live;
  }

  /** The first of them; null: any slot. */
  get first(): Slot | null {
    const { store, state, cursor, fold } = this.live;
    if (store.logStart.slot === null) return null;
    const firstStart = firstFoldStart(cursor, FOLDS_BETWEEN) ?? 0;
    const oldest = state.retained.findLast(({ slot }) => slot >= firstStart);
    return asSlot((oldest?.slot ?? fold.finalSlot) + 1);
  }

  /** Why the slots of a run cannot change; null if they can. Until the next step that holds. */
  async refusalOf({ from, to }: SlotRun): Promise<SourceProblem | null> {
    if (this.live.store.logStart.slot === null) return null;
    // A commit removes old checkpoints. None begins once the log has changed.
    await this.live.state.settled();
    const { first } = this;
    if (first === null || from >= first) return null;
    const slots = from === to ? `slot ${from}` : `slots ${from} to ${to}`;
    const message =
      `only slots from ${first} on can change, the first after the oldest usable checkpoint, since ` +
      'older slots were dropped from the log (--log-retention): nothing was changed';
    return { code: 'too-late', origin: 'the log', position: slots, message };
  }
}
