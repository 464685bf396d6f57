import { UndoLog } from './undo-log.ts';

/**
 * Assigns consecutive small integers, starting at 0, to addresses, for rows to refer to. The ids
 * only identify: they follow the order in which addresses were first read, so no published answer
 * may depend on them.
 */
export class AddressIds<Address extends string = string> {
  private readonly undo: UndoLog;
  private readonly ids = new Map<Address, number>();
  private readonly addresses: Address[] = [];

  constructor(undo = new UndoLog()) {
    this.undo = undo;
  }

  get size(): number {
    return this.addresses.length;
  }

  /** Returns the id of an address; assigns a new one if it has none. */
  idOf(address: Address): number {
    const known = this.ids.get(address);
    if (known !== undefined) return known;
    const id = this.addresses.length;
    this.undo.map(this.ids, address);
    this.ids.set(address, id);
    this.undo.push(this.addresses);
    this.addresses.push(address);
    return id;
  }

  /** Returns the id of an address, -1 if it has none. */
  find(address: Address): number {
    return this.ids.get(address) ?? -1;
  }

  /** Throws RangeError for an id that was never assigned. */
  addressOf(id: number): Address {
    const address = this.addresses[id];
    if (address === undefined) throw new RangeError(`no address has the id ${id}`);
    return address;
  }
}
