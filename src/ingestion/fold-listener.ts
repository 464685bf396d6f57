import type { SlotChanges } from '../model/derived.ts';
import type { SlotFacts } from '../model/slot-facts.ts';
import type { Slot } from '../model/units.ts';
import type { ReadsDuringSlots } from './reads-during-slots.ts';

/** Called immediately after each change of the current state. */
export interface FoldListener {
  /** A slot was applied: the engine's last slot is this one. */
  onApplied(changes: SlotChanges): void;
  /** The newest slot was reverted: its changed records have their previous values again. */
  onReverted(changes: SlotChanges): void;
  /** The engine was replaced: any record may have a different value. */
  onReplaced(): void;
  /** Answers reads while a slot is applied; if absent, they wait for its end. */
  readonly duringSlots?: ReadsDuringSlots;
  /** A slot became final, or arrived as final; `timeMs` is its time according to the fold. */
  onFinalised?(facts: SlotFacts, timeMs: number | null): void;
  /** Final slots are about to be stored. Data that must be stored before them is stored now. */
  onBeforeWrite?(): void;
  /** All rows up to the slot are stored; null: none are. Called when more have been. */
  onStored?(slot: Slot | null): void;
  /**
   * Stores data that could not be stored before. Called after each step and before slots are
   * stored, until it succeeds; no further slot is applied until then. Throws the reason of a
   * failure.
   */
  settle?(): void;
  /** A step of a source was processed: the known state of slots may have changed. */
  onStep(): void;
}
