import type { SlotChanges } from '../model/derived.ts';
import type { SlotFacts } from '../model/slot-facts.ts';

/** Told of each change of the state that answers, right after it. */
export interface FoldListener {
  /**
   * A slot was folded, or taken back: what it changed is another now. Of a slot that was folded the
   * engine's last slot is this one, of one that was taken back an earlier one.
   */
  changed(slot: SlotChanges): void;
  /** Another fold answers from here on: everything may be another. */
  replaced(): void;
  /** A slot became final, or came as final; `timeMs` is its time as the fold has it. */
  finalised?(facts: SlotFacts, timeMs: number | null): void;
  /** Slots that are final are about to be stored: what has to be kept before, is kept now. */
  storing?(): void;
  /**
   * Keeps what could not be kept so far of what it was told. Asked after each step, and before slots
   * are stored, until it succeeds: nothing more is folded before. Throws what keeps it from it.
   */
  settle?(): void;
  /** One step of a source was taken: what is known of slots may be another. */
  stepped(): void;
}
