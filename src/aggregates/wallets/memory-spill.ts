import type { Address } from '../../model/units.ts';
import type { RowSpill } from './row-spill.ts';

/** Keeps spilled profiles in memory, in less room than rows: for replays and tests. */
export class MemorySpill implements RowSpill {
  private readonly profiles = new Map<Address, Uint8Array>();

  put(address: Address, bytes: Uint8Array): void {
    this.profiles.set(address, bytes);
  }

  take(address: Address): Uint8Array | null {
    const bytes = this.profiles.get(address) ?? null;
    this.profiles.delete(address);
    return bytes;
  }
}
