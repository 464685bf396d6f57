import type { Address } from '../model/units.ts';
import type { Decoder } from './decoder.ts';
import { associatedToken } from './programs/associated-token.ts';
import { computeBudget } from './programs/compute-budget.ts';
import { metaplexMetadata } from './programs/metaplex-metadata.ts';
import { meteoraDammV1 } from './programs/meteora-damm-v1.ts';
import { meteoraDammV2 } from './programs/meteora-damm-v2.ts';
import { meteoraDbc } from './programs/meteora-dbc.ts';
import { meteoraDlmm } from './programs/meteora-dlmm.ts';
import { pump } from './programs/pump.ts';
import { pumpAmm } from './programs/pump-amm.ts';
import { raydiumAmmV4 } from './programs/raydium-amm-v4.ts';
import { raydiumClmm } from './programs/raydium-clmm.ts';
import { raydiumCpmm } from './programs/raydium-cpmm.ts';
import { splToken } from './programs/spl-token.ts';
import { system } from './programs/system.ts';
import { token2022 } from './programs/token-2022.ts';

/** Every program the project decodes. Adding one is a file in programs/ and a line here. */
export const DECODERS: readonly Decoder[] = [
  pump,
  pumpAmm,
  raydiumAmmV4,
  raydiumCpmm,
  raydiumClmm,
  meteoraDlmm,
  meteoraDammV1,
  meteoraDammV2,
  meteoraDbc,
  splToken,
  token2022,
  metaplexMetadata,
  system,
  associatedToken,
  computeBudget,
];

const BY_PROGRAM: ReadonlyMap<string, Decoder> = new Map(
  DECODERS.map((decoder) => [decoder.programId, decoder]),
);

export function decoderOf(programId: Address): Decoder | undefined {
  return BY_PROGRAM.get(programId);
}

export function isVenueProgram(programId: Address): boolean {
  return BY_PROGRAM.get(programId)?.isVenue === true;
}
