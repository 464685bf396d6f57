import { decodeBase58 } from '../../lib/base58.ts';
import { programAddress } from '../../lib/program-address.ts';
import { addressOfBytes } from '../../model/account-keys.ts';
import { METAPLEX_METADATA_PROGRAM } from '../../model/program.ts';
import type { Address } from '../../model/units.ts';

const PROGRAM = decodeBase58(METAPLEX_METADATA_PROGRAM) ?? new Uint8Array(32);
const SEED = new TextEncoder().encode('metadata');

/** The address of a mint's Metaplex metadata account; null for a mint that is not an address. */
export function metadataAddress(mint: Address): Address | null {
  const bytes = decodeBase58(mint);
  if (bytes?.length !== 32) return null;
  const address = programAddress([SEED, PROGRAM, bytes], PROGRAM);
  return address === null ? null : addressOfBytes(address, 0);
}
