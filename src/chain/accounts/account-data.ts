import type { Address } from '../../model/units.ts';

/** An account as a node told it. */
export interface AccountData {
  /** The program it belongs to, which alone may write it. */
  readonly owner: Address;
  readonly bytes: Uint8Array;
}
