/**
 * Addresses at which programs publish their IDL. Anchor before 1.0: the account created with seed
 * `anchor:idl` from the program's PDA without seeds (anchor-lang, `idl::IdlAccount::address`).
 * Anchor 1.0 and later: the canonical account of the Program Metadata program, whose seeds are the
 * program, no authority, and `idl` padded with zeros to 16 bytes (solana-program/program-metadata).
 */
import { decodeBase58 } from '../../../lib/base58.ts';
import { programAddress, seededAddress } from '../../../lib/program-address.ts';
import { addressOfBytes } from '../../../model/account-keys.ts';
import { type Address, asAddress } from '../../../model/units.ts';

export const PROGRAM_METADATA_PROGRAM = asAddress('ProgM6JCCvbYkfKqJYHePx4xxSUSqJp7rh8Lyv7nk7S');

/** Length of the seed of a metadata account. */
export const METADATA_SEED_BYTES = 16;

export interface IdlAddresses {
  readonly anchor: Address;
  readonly metadata: Address;
}

/** Throws RangeError for a program id that is not an address. */
export function idlAddresses(programId: Address): IdlAddresses {
  const program = decodeBase58(programId);
  const metadataProgram = decodeBase58(PROGRAM_METADATA_PROGRAM);
  if (program?.length !== 32 || metadataProgram === null) {
    throw new RangeError(`${programId} is not an address`);
  }
  const base = programAddress([], program);
  const metadata = programAddress([program, idlSeed()], metadataProgram);
  if (base === null || metadata === null) throw new RangeError(`${programId} has no address`);
  return {
    anchor: addressOfBytes(seededAddress(base, 'anchor:idl', program), 0),
    metadata: addressOfBytes(metadata, 0),
  };
}

/** The seed of a metadata account that holds an IDL. */
export function idlSeed(): Uint8Array {
  const seed = new Uint8Array(METADATA_SEED_BYTES);
  seed.set(new TextEncoder().encode('idl'));
  return seed;
}
