import { StateValue } from './state-value.ts';
import { UndoLog } from './undo-log.ts';

/**
 * Assigns consecutive small integers, starting at 0, to the few names of a kind, for rows to refer
 * to. Finding a number is linear in the names.
 */
export class NameNumbers<Name extends string> {
  private readonly undo: UndoLog;
  private readonly state: StateValue<{ readonly names: Name[] }>;

  constructor(undo = new UndoLog(), name = 'names') {
    this.undo = undo;
    this.state = new StateValue<{ readonly names: Name[] }>({ names: [] }, undo, name);
  }

  /** The number of a name; assigns a new one if it has none. */
  numberOf(name: Name): number {
    const { names } = this.state.now;
    const known = names.indexOf(name);
    if (known !== -1) return known;
    this.undo.push(names);
    return names.push(name) - 1;
  }

  /** Throws RangeError for a number that was never assigned. */
  nameOf(number: number): Name {
    const name = this.state.now.names[number];
    if (name === undefined) throw new RangeError(`no name has the number ${number}`);
    return name;
  }
}
