import type { TriggerTurn } from '../../model/trigger-turn.ts';

/**
 * With which slots triggers turned, as far as that is not kept yet. A slot that is taken back takes
 * its turns with it; those of slots that stay are kept before the slots are stored.
 */
export class TurnJournal {
  /** What is known of each trigger as of the newest slot, kept or not. */
  private readonly known = new Map<number, boolean>();
  /** By slot. */
  private turns: TriggerTurn[] = [];

  /** Turns that are not kept yet. */
  get size(): number {
    return this.turns.length;
  }

  /** A trigger of which this is kept. */
  begin(key: number, isTrue: boolean): void {
    this.forget(key);
    this.known.set(key, isTrue);
  }

  /** The trigger is gone. */
  forget(key: number): void {
    if (!this.known.delete(key)) return;
    if (this.turns.some((turn) => turn.key === key)) {
      this.turns = this.turns.filter((turn) => turn.key !== key);
    }
  }

  /** What a trigger is with a slot, no earlier one than was noted before. */
  note(key: number, slot: number, isTrue: boolean): void {
    if (this.known.get(key) === isTrue) return;
    this.known.set(key, isTrue);
    this.turns.push({ key, slot, isTrue });
  }

  /** What a trigger is with a slot by another fold, whose later slots did not turn it. */
  replace(turn: TriggerTurn): void {
    const kept = this.turns.filter(({ key, slot }) => key !== turn.key || slot < turn.slot);
    const place = kept.findIndex(({ slot }) => slot > turn.slot);
    this.turns = kept.toSpliced(place < 0 ? kept.length : place, 0, turn);
    this.known.set(turn.key, turn.isTrue);
  }

  /** Slots from `slot` on were taken back. Returns the keys that had turned with them. */
  takeBack(slot: number): ReadonlySet<number> {
    const keys = new Set<number>();
    for (let last = this.turns.at(-1); last !== undefined && last.slot >= slot; ) {
      this.turns.pop();
      keys.add(last.key);
      this.known.set(last.key, !last.isTrue);
      last = this.turns.at(-1);
    }
    return keys;
  }

  /** Those of slots that stay, oldest first. */
  due(finalSlot: number): readonly TriggerTurn[] {
    return this.turns.slice(0, this.dueCount(finalSlot));
  }

  /** They are kept. */
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
