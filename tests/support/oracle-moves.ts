import { decoderOf } from '../../src/decoders/registry.ts';
import { isVenue, type Venue } from '../../src/model/program.ts';
import type { Address } from '../../src/model/units.ts';
import type { OracleMove, OracleReport } from './oracle.ts';

/** The venue that a program's decoder names, null where there is no decoder of a venue. */
export function venueOf(programId: string): Venue | null {
  const decoder = decoderOf(programId as Address);
  return decoder !== undefined && isVenue(decoder.name) ? decoder.name : null;
}

/** Movements below programs of venues with a decoder, in execution order. */
export function movesOfVenues({ vaultMoves, otherMoves }: OracleReport): OracleMove[] {
  return [...vaultMoves, ...otherMoves]
    .filter(({ programId }) => venueOf(programId) !== null)
    .sort((one, other) => one.seq - other.seq);
}
