import type { UndoStep } from './undo-steps.ts';

/** What an undo needs of objects by number, whatever they are. */
export interface RestorableObjects {
  /** The object of a number that is in memory, null for none. */
  resident(id: number): object | null;
  /** Sets the object of a number, null for none. */
  restore(id: number, value: never): void;
}

/** A number had this object, null for none. */
export const OBJECT: UndoStep<[objects: RestorableObjects, id: number, value: object | null]> = {
  revert: (objects, id, value) => objects.restore(id, value as never),
  repeater(objects, id) {
    const present = objects.resident(id);
    return () => objects.restore(id, present as never);
  },
};
