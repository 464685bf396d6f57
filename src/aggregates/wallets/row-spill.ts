import type { Address } from '../../model/units.ts';

/**
 * Where profiles lie that memory has no room for. Both calls are immediate, and what was put is
 * given back byte for byte: the fold's answers depend on it. The bytes are part of the state, so a
 * snapshot of the state needs those that lie here at its moment.
 */
export interface RowSpill {
  put(address: Address, bytes: Uint8Array): void;
  /** Gives the bytes and forgets them; null for an address that is not here. */
  take(address: Address): Uint8Array | null;
}
