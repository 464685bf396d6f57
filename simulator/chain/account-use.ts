import type { Address } from '../../src/model/units.ts';

/** A reference from an instruction to an account. */
export interface AccountUse {
  readonly address: Address;
  readonly isSigner: boolean;
  readonly isWritable: boolean;
}

export function readOnly(address: Address): AccountUse {
  return { address, isSigner: false, isWritable: false };
}

export function writable(address: Address): AccountUse {
  return { address, isSigner: false, isWritable: true };
}

export function signing(address: Address): AccountUse {
  return { address, isSigner: true, isWritable: false };
}

export function paying(address: Address): AccountUse {
  return { address, isSigner: true, isWritable: true };
}
