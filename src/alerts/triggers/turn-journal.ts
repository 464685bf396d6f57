import type { TriggerTurn } from '../../model/trigger-turn.ts';

/**
 * Turns of triggers (changes between true and false) that are not stored yet, with their slots. A
 * rolled-back slot removes its turns. Turns of final slots are stored before the slots themselves.
 */
export class TurnJournal {
  /** The value of each trigger as of the newest slot, stored or not. */
  private readonly known = new Map<number, boolean>();
  /** Sorted by slot. */
  private turns: TriggerTurn[] = [];

  /** Number of turns that are not stored yet. */
  get size(): number {
    return this.turns.length;
  }

  /** Starts tracking a trigger whose stored value is `isTrue`. */
  begin(key: number, isTrue: boolean): void {
    this.forget(key);
    this.known.set(key, isTrue);
  }

  /** Stops tracking a trigger. */
  forget(key: number): void {
    if (!this.known.delete(key)) return;
    if (this.turns.some((turn) => turn.key === key)) {
      this.turns = this.turns.filter((turn) => turn.key !== key);
    }
  }

  /** The value of a trigger as of the newest slot; null if it is not tracked. */
  valueOf(key: number): boolean | null {
    return this.known.get(key) ?? null;
  }

  /** Records the value of a trigger at a slot. Slots must not decrease between calls. */
  note(key: number, slot: number, isTrue: boolean): void {
    if (this.known.get(key) === isTrue) return;
    this.known.set(key, isTrue);
    this.turns.push({ key, slot, isTrue });
  }

  /** Adopts a turn computed by another fold. It replaces the trigger's turns from its slot on. */
  replace(turn: TriggerTurn): void {
    const kept = this.turns.filter(({ key, slot }) => key !== turn.key || slot < turn.slot);
    const index = kept.findIndex(({ slot }) => slot > turn.slot);
    this.turns = kept.toSpliced(index < 0 ? kept.length : index, 0, turn);
    this.known.set(turn.key, turn.isTrue);
  }

  /**
   * Rolls back the slots from `slot` on. Returns the keys of the triggers that had turned there.
   */
  revert(slot: number): ReadonlySet<number> {
    const keys = new Set<number>();
    for (let last = this.turns.at(-1); last !== undefined && last.slot >= slot; ) {
      this.turns.pop();
      keys.add(last.key);
      this.known.set(last.key, !last.isTrue);
      last = this.turns.at(-1);
    }
    return keys;
  }

  /** Turns up to the final slot, oldest first; they are to be stored. */
  due(finalSlot: number): readonly TriggerTurn[] {
    return this.turns.slice(0, this.dueCount(finalSlot));
  }

  /** Removes the turns that `due` returned, after they are stored. */
  settle(finalSlot: number): void {
    const count = this.dueCount(finalSlot);
    if (count > 0) this.turns.splice(0, count);
  }

  private dueCount(finalSlot: number): number {
    const [oldest] = this.turns;
    if (oldest === undefined || oldest.slot > finalSlot) return 0;
    const count = this.turns.findIndex(({ slot }) => slot > finalSlot);
    return count < 0 ? this.turns.length : count;
  }
}
