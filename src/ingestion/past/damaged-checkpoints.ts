import type { Slot } from '../../model/units.ts';
import type { OpenState } from './kept-states.ts';
import { PastError } from './past-thread.ts';

/** Checkpoints of the live fold that turned out to be damaged when a state was computed from them. */
export class DamagedCheckpoints {
  private readonly report: (sentence: string) => void;
  private readonly slots = new Set<Slot>();

  constructor(report: (sentence: string) => void) {
    this.report = report;
  }

  has(slot: Slot): boolean {
    return this.slots.has(slot);
  }

  /**
   * Notes an error of a state. Returns whether another state may be computed instead, because a
   * checkpoint was not known to be damaged.
   */
  note({ linked: { checkpoint } }: Pick<OpenState, 'linked'>, error: unknown): boolean {
    if (!(error instanceof PastError) || !error.isDamage || checkpoint === null) return false;
    const { slot } = checkpoint;
    if (this.slots.has(slot)) return false;
    this.slots.add(slot);
    this.report(`The state after slot ${slot} is not used for earlier slots: ${error.message}`);
    return true;
  }

  /** The live fold has other checkpoints. */
  clear(): void {
    this.slots.clear();
  }
}
