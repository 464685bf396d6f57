import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AddressIds } from './address-ids.ts';
import { UndoLog } from './undo-log.ts';
import { MAP_ENTRY } from './undo-steps.ts';

const UNDOABLE = 4;

/** Names, each with the number of times that it was set, read through a cache by id. */
class Counted {
  private readonly undo = new UndoLog(UNDOABLE);
  private readonly ids = new AddressIds(this.undo);
  private readonly recent = this.ids.createRecent<string>(256);
  private readonly counts = new Map<string, number>();

  constructor() {
    this.undo.open();
  }

  /** Gives it an id, without a change of what is kept for ids. */
  meet(name: string): void {
    this.ids.idOf(name);
  }

  set(name: string): void {
    const id = this.ids.idOf(name);
    const known = this.counts.get(name);
    this.undo.step(MAP_ENTRY, this.counts as Map<unknown, unknown>, name, known);
    this.counts.set(name, (known ?? 0) + 1);
    this.recent.change(this.undo, id);
  }

  read(name: string): void {
    const id = this.ids.find(name);
    if (id === -1) return;
    const anew = `${name}: ${this.counts.get(name)}`;
    const found = this.recent.get(id) ?? anew;
    this.recent.set(id, found);
    expect(found).toBe(anew);
  }

  readBefore(name: string): void {
    this.undo.asOfOpening(() => this.read(name));
    this.read(name);
  }

  nextSlot(): void {
    const { undo } = this;
    undo.close();
    if (undo.size === UNDOABLE) undo.forget(1);
    undo.open();
  }

  undoSlot(): void {
    this.undo.close();
    this.undo.undo();
    this.undo.open();
  }
}

const ACTIONS = [
  'meet',
  'set',
  'set',
  'read',
  'read',
  'readBefore',
  'nextSlot',
  'undoSlot',
] as const;

test('what is kept is what would be read anew, after undos and while the slot before is read', () => {
  const action = fc.tuple(fc.constantFrom(...ACTIONS), fc.constantFrom('a', 'b', 'c'));
  fc.assert(
    fc.property(fc.array(action, { minLength: 40, maxLength: 80 }), (actions) => {
      const counted = new Counted();
      for (const [kind, name] of actions) counted[kind](name);
    }),
    { numRuns: 300 },
  );
});
