import type { SlotChanges } from '../model/derived.ts';
import type { SlotFacts } from '../model/slot-facts.ts';

/** Called at each change of the state that answers, right after it. */
export interface FoldListener {
  /** A slot was applied: the engine's last slot is this one. */
  onApplied(changes: SlotChanges): void;
  /** The newest slot was reverted: the records it had changed have the values from before it again. */
  onReverted(changes: SlotChanges): void;
  /** Another fold answers from here on: every record may have another value. */
  onReplaced(): void;
  /** A slot became final, or came as final; `timeMs` is its time as the fold has it. */
  onFinalised?(facts: SlotFacts, timeMs: number | null): void;
  /** Final slots are about to be stored: what has to be stored before them is stored now. */
  onBeforeWrite?(): void;
  /**
   * Stores what could not be stored so far. Called after each step, and before slots are stored, until
   * it succeeds: no further slot is applied before. Throws the reason of a failure.
   */
  settle?(): void;
  /** One step of a source was taken: what is known of slots may have changed. */
  onStep(): void;
}
