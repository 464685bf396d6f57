import { UndoLog } from './undo-log.ts';

/**
 * Small integers for addresses, from 0 on without gaps, for rows to refer to. They say nothing but
 * which is which: their order is that of what was read, and nothing told outside may show it.
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

  /** The number of an address, a new one when it has none. */
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

  /** The number of an address, -1 when it has none. */
  find(address: Address): number {
    return this.ids.get(address) ?? -1;
  }

  /** Throws RangeError for a number that was not given. */
  addressOf(id: number): Address {
    const address = this.addresses[id];
    if (address === undefined) throw new RangeError(`no address has the number ${id}`);
    return address;
  }
}
