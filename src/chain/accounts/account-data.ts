import type { Address } from '../../model/units.ts';

/** An account as a node returned it. */
export interface AccountData {
  /** The program that owns the account and alone may write it. */
  readonly owner: Address;
  readonly bytes: Uint8Array;
}
