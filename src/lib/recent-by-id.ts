import { RecentValues } from './recent-values.ts';
import type { UndoLog } from './undo-log.ts';
import type { UndoStep } from './undo-steps.ts';

/**
 * What was read or computed of the addresses used lately, by their ids. It is no part of the state:
 * `AddressIds`, which creates it, empties it when ids are undone, and `change` says what is outdated.
 */
export class RecentById<Value> {
  private readonly placesMax: number;
  private values: RecentValues<Value>;

  /** `placesMax` is a power of two, at least 256. */
  constructor(placesMax: number) {
    this.placesMax = placesMax;
    this.values = new RecentValues(placesMax);
  }

  get(id: number): Value | undefined {
    return this.values.get(id);
  }

  set(id: number, value: Value): void {
    this.values.set(id, value);
  }

  /** Call when the value of an id changes: forgets it now, and when the change is undone. */
  change(undo: UndoLog, id: number): void {
    this.forget(id);
    if (undo.isOpen) undo.step(FORGET, this, id);
  }

  forget(id: number): void {
    this.values.delete(id);
  }

  /** Empties it, and returns what brings all values back. */
  setAside(): () => void {
    const { values } = this;
    this.values = new RecentValues(this.placesMax);
    return () => {
      this.values = values;
    };
  }
}

interface Forgetful {
  forget(id: number): void;
}

/** The value of an id was another one. */
const FORGET: UndoStep<[recent: Forgetful, id: number]> = {
  revert: (recent, id) => recent.forget(id),
  repeater: (recent, id) => () => recent.forget(id),
};
