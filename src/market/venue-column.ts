import { NameNumbers } from '../lib/name-numbers.ts';
import type { Venue } from '../model/program.ts';
import { GrowingNumbers } from './growing-numbers.ts';

/** A venue or null for each index, null where none was set: one byte each. */
export class VenueColumn {
  private readonly names = new NameNumbers<Venue>();
  private readonly numbers = new GrowingNumbers('u8');

  get allocatedBytes(): number {
    return this.numbers.allocatedBytes;
  }

  get(at: number): Venue | null {
    const number = this.numbers.get(at);
    return number === 0 ? null : this.names.nameOf(number - 1);
  }

  set(at: number, venue: Venue | null): void {
    this.numbers.set(at, venue === null ? 0 : this.names.numberOf(venue) + 1);
  }
}
