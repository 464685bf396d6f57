import type { MetadataSet } from '../../model/chain-event.ts';
import type { Instruction } from '../../model/instruction.ts';
import { NO_METAPLEX_FIELDS } from '../../model/metadata-content.ts';
import { SYSTEM_PROGRAM } from '../../model/program.ts';
import type { Address } from '../../model/units.ts';
import { type DecodeResult, events, IGNORED } from './decoder.ts';

/** The fields an instruction sets. Omitted fields are unchanged. */
export type MetadataChanges = Partial<
  Omit<MetadataSet, 'kind' | 'standard' | 'mint' | 'outerIx' | 'innerIx'>
>;

/** The event of an instruction that set these fields; ignored when there are none. */
export function metadataSet(
  instruction: Instruction,
  standard: MetadataSet['standard'],
  mint: Address,
  changes: MetadataChanges,
): DecodeResult {
  if (Object.keys(changes).length === 0) return IGNORED;
  const { outerIx, innerIx } = instruction;
  return events({
    kind: 'metadataSet',
    outerIx,
    innerIx,
    standard,
    mint,
    name: null,
    symbol: null,
    uri: null,
    ...NO_METAPLEX_FIELDS,
    ...changes,
  });
}

/** The zero key, which is also the system program's address, means no authority. */
export function authorityOrNull(address: Address): Address | null {
  return address === SYSTEM_PROGRAM ? null : address;
}
