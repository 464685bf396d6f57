import { asSlot, type Slot } from '../../model/units.ts';
import type { LinkedState } from '../../store/checkpoints/state-folders.ts';
import type { FoldStates } from '../fold-states.ts';
import type { PastThread } from './past-thread.ts';

/** States that are kept: each takes memory, and disk space for what it shares with a checkpoint. */
const KEPT_MAX = 2;

/** A state in the thread, by its number there. */
export interface OpenState {
  readonly id: number;
  readonly linked: LinkedState;
}

/** A state after its last slot. */
export interface KeptState extends OpenState {
  readonly slot: Slot;
  /** No slot between its last one and this one has a block. */
  through: Slot;
}

/** The states that were computed last, as long as their slots are on the present branch. */
export class KeptStates {
  private readonly thread: Pick<PastThread, 'call'>;
  private readonly states: Pick<FoldStates, 'removePast'>;
  private readonly report: (sentence: string) => void;
  /** The one used last at the end. */
  private kept: KeptState[] = [];
  /** All states that the thread has open. */
  private readonly open = new Set<OpenState>();
  private lastId = 0;

  constructor(
    thread: Pick<PastThread, 'call'>,
    states: Pick<FoldStates, 'removePast'>,
    report: (sentence: string) => void,
  ) {
    this.thread = thread;
    this.states = states;
    this.report = report;
  }

  /** The state as of a slot; null if it must be computed. */
  at(slot: Slot): KeptState | null {
    const found = this.kept.find((state) => state.slot <= slot && slot <= state.through);
    if (found === undefined) return null;
    this.kept = [...this.kept.filter((state) => state !== found), found];
    return found;
  }

  /** Takes the newest state between two slots out, to continue from it; null if there is none. */
  takeBetween(from: number, to: Slot): KeptState | null {
    const newestFirst = this.kept.toSorted((one, other) => other.slot - one.slot);
    const found = newestFirst.find(({ slot }) => slot >= from && slot <= to) ?? null;
    this.kept = this.kept.filter((state) => state !== found);
    return found;
  }

  /** Opens a state in the thread. Rejects with PastError, and removes its folder then. */
  async openLinked(linked: LinkedState): Promise<OpenState> {
    if (this.kept.length >= KEPT_MAX) await this.drop(this.kept.shift());
    const state = { id: ++this.lastId, linked };
    this.open.add(state);
    try {
      await this.thread.call({ kind: 'open', state: state.id, linked });
      return state;
    } catch (error) {
      this.remove(state);
      throw error;
    }
  }

  keep(state: KeptState): void {
    this.kept.push(state);
  }

  /** Releases a state that is no longer kept. */
  async drop(state: OpenState | undefined): Promise<void> {
    if (state === undefined) return;
    this.kept = this.kept.filter((each) => each !== state);
    try {
      await this.thread.call({ kind: 'drop', state: state.id });
    } catch {
      // The thread has ended, and the state with it.
    }
    this.remove(state);
  }

  /** A slot was reverted: later states are those of another branch. */
  reverted(slot: Slot): void {
    for (const state of this.kept.filter((each) => each.slot >= slot)) void this.drop(state);
    this.applied(slot);
  }

  /** A slot was applied: states before it end there. */
  applied(slot: Slot): void {
    for (const state of this.kept) {
      if (state.slot < slot && state.through >= slot) state.through = asSlot(slot - 1);
    }
  }

  /** Releases all states. */
  clear(): void {
    for (const state of this.kept) void this.drop(state);
  }

  /** The thread has ended, and all states with it. */
  forget(): void {
    this.kept = [];
    for (const state of [...this.open]) this.remove(state);
  }

  private remove(state: OpenState): void {
    if (!this.open.delete(state)) return;
    try {
      this.states.removePast(state.linked);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.report(`${state.linked.folder} is not needed any more and cannot be removed: ${reason}`);
    }
  }
}
