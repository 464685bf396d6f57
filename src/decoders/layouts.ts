import type { ProgramName } from '../model/program.ts';
import type { Address } from '../model/units.ts';
import { clmmLayout } from './families/clmm-layout.ts';
import { launchlabLayout } from './families/launchlab-layout.ts';
import { lifinityLayout } from './families/lifinity.ts';
import { meteoraDammV2Layout } from './families/meteora-damm-v2-layout.ts';
import { meteoraDlmmLayout } from './families/meteora-dlmm-layout.ts';
import { pumpAmmLayout } from './families/pump-amm-layout.ts';
import { pumpLayout } from './families/pump-layout.ts';
import { whirlpoolLayout } from './families/whirlpool-layout.ts';
import type { Decoder } from './legs/decoder.ts';
import { boop, boopLayout } from './programs/boop.ts';
import { byrealClmm, byrealClmmLayout } from './programs/byreal-clmm.ts';
import { cropperClmm } from './programs/cropper.ts';
import { fusion, fusionLayout } from './programs/fusion.ts';
import { heaven, heavenLayout } from './programs/heaven.ts';
import { invariant, invariantLayout } from './programs/invariant.ts';
import { jupiterLock, jupiterLockLayout } from './programs/jupiter-lock.ts';
import { lifinityV1 } from './programs/lifinity-v1.ts';
import { lifinityV2 } from './programs/lifinity-v2.ts';
import { meteoraDammV1, meteoraDammV1Layout } from './programs/meteora-damm-v1.ts';
import { meteoraDammV2 } from './programs/meteora-damm-v2.ts';
import { meteoraDbc, meteoraDbcLayout } from './programs/meteora-dbc.ts';
import { meteoraDlmm } from './programs/meteora-dlmm.ts';
import { moonshot, moonshotLayout } from './programs/moonshot.ts';
import { openbookV2, openbookV2Layout } from './programs/openbook-v2.ts';
import { orcaWhirlpool } from './programs/orca-whirlpool.ts';
import { pancakeswapClmm } from './programs/pancakeswap-clmm.ts';
import { phoenix, phoenixLayout } from './programs/phoenix.ts';
import { pump } from './programs/pump.ts';
import { pumpAmm } from './programs/pump-amm.ts';
import { raydiumAmmV4, raydiumAmmV4Layout } from './programs/raydium-amm-v4.ts';
import { raydiumClmm } from './programs/raydium-clmm.ts';
import { raydiumCpmm, raydiumCpmmClone, raydiumCpmmLayout } from './programs/raydium-cpmm.ts';
import { raydiumLaunchlab } from './programs/raydium-launchlab.ts';
import { raydiumLock, raydiumLockLayout } from './programs/raydium-lock.ts';
import { streamflow, streamflowLayout } from './programs/streamflow.ts';
import type { ProgramLayout } from './transaction/program-layout.ts';

/** A program with a documented interface, and the part of it that its decoder relies on. */
export interface LaidOutProgram {
  readonly name: ProgramName;
  readonly programId: Address;
  readonly layout: ProgramLayout;
}

/** Every program with a layout. */
export const LAYOUTS: readonly LaidOutProgram[] = [
  laidOut(pump, pumpLayout),
  laidOut(pumpAmm, pumpAmmLayout),
  laidOut(raydiumAmmV4, raydiumAmmV4Layout),
  laidOut(raydiumCpmm, raydiumCpmmLayout),
  laidOut(raydiumCpmmClone, raydiumCpmmLayout),
  laidOut(raydiumClmm, clmmLayout),
  laidOut(raydiumLaunchlab, launchlabLayout),
  laidOut(orcaWhirlpool, whirlpoolLayout),
  laidOut(fusion, fusionLayout),
  laidOut(cropperClmm, whirlpoolLayout),
  laidOut(lifinityV1, lifinityLayout),
  laidOut(lifinityV2, lifinityLayout),
  laidOut(pancakeswapClmm, clmmLayout),
  laidOut(byrealClmm, byrealClmmLayout),
  laidOut(meteoraDlmm, meteoraDlmmLayout),
  laidOut(meteoraDammV1, meteoraDammV1Layout),
  laidOut(meteoraDammV2, meteoraDammV2Layout),
  laidOut(meteoraDbc, meteoraDbcLayout),
  laidOut(phoenix, phoenixLayout),
  laidOut(openbookV2, openbookV2Layout),
  laidOut(moonshot, moonshotLayout),
  laidOut(boop, boopLayout),
  laidOut(heaven, heavenLayout),
  laidOut(invariant, invariantLayout),
  laidOut(streamflow, streamflowLayout),
  laidOut(raydiumLock, raydiumLockLayout),
  laidOut(jupiterLock, jupiterLockLayout),
];

function laidOut({ name, programId }: Decoder, layout: ProgramLayout): LaidOutProgram {
  return { name, programId, layout };
}

/** Null for a program without a layout. */
export function layoutNamed(name: string): LaidOutProgram | null {
  return LAYOUTS.find((program) => program.name === name) ?? null;
}

export function layoutAt(programId: string): LaidOutProgram | null {
  return LAYOUTS.find((program) => program.programId === programId) ?? null;
}
