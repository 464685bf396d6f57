import { WRAPPED_SOL } from '../../src/model/program.ts';
import type { Address } from '../../src/model/units.ts';
import { drawTokenText } from '../market/token-names.ts';
import { ensureTokenAccount, wrapLamports } from '../programs/associated-token.ts';
import type { LiquidityPool, PlannedPool } from '../venues/launchpad.ts';
import { planMeteoraDlmm } from '../venues/meteora-dlmm.ts';
import { type PlannedToken, planToken } from '../venues/planned-token.ts';
import { planRaydiumCpmm } from '../venues/raydium-cpmm.ts';
import { partOf } from './orders.ts';
import type { ScenarioContext } from './scenario.ts';
import type { Script } from './script.ts';
import { land } from './sending.ts';

/** A token without a launchpad, and the pool its creator opens for it. */
export interface PlannedStagedPool {
  readonly token: PlannedToken;
  readonly planned: PlannedPool;
  readonly pool: LiquidityPool;
  readonly creator: Address;
}

export type StagedVenue = 'raydium_cpmm' | 'meteora_dlmm';

/** Supply of such a token in raw units: a thousand million with six decimals. */
export const STAGED_SUPPLY_RAW = 1_000_000_000_000_000n;
/** Maximum cost of a token and a pool: accounts, rents and fees. */
export const POOL_COST_LAMPORTS = 400_000_000n;

export function planStagedPool(
  { world, random }: ScenarioContext,
  creator: Address,
  venue: StagedVenue,
): PlannedStagedPool {
  const text = drawTokenText(random);
  const token = planToken(world, {
    creator,
    text,
    decimals: 6,
    supplyRaw: STAGED_SUPPLY_RAW,
    transferFee: null,
  });
  world.readToken(token.mint, text);
  const pair = { baseMint: token.mint, quoteMint: WRAPPED_SOL };
  const planned =
    venue === 'raydium_cpmm' ? planRaydiumCpmm(world, pair) : planMeteoraDlmm(world, pair);
  return { token, planned, pool: planned.pool, creator };
}

/**
 * Creates the token with its whole supply at the creator. Returns the slot, or null if it failed.
 */
export function* mintStaged(
  { world }: ScenarioContext,
  { token, creator }: PlannedStagedPool,
): Script<number | null> {
  const outcome = yield* land(world, {
    feePayer: creator,
    signers: token.createSigners,
    computeBudget: { unitLimit: 200_000, priceMicroLamports: 50_000n },
    build: (execution) => token.create(execution),
  });
  return outcome === null || outcome.isFailed ? null : outcome.slot;
}

/** Opens the pool with a share of the supply and lamports. Returns the slot, or null. */
export function* openStaged(
  { world }: ScenarioContext,
  { planned, pool, creator, token }: PlannedStagedPool,
  { supplyShare, lamports }: { readonly supplyShare: number; readonly lamports: bigint },
): Script<number | null> {
  const baseRaw = partOf(STAGED_SUPPLY_RAW, supplyShare);
  world.addMarket(pool);
  const outcome = yield* land(world, {
    feePayer: creator,
    signers: planned.createSigners,
    computeBudget: { unitLimit: 400_000, priceMicroLamports: 50_000n },
    build(execution) {
      wrapLamports(execution, world.tokenAccounts, creator, lamports);
      ensureTokenAccount(execution, world.tokenAccounts, creator, creator, token.mint);
      planned.create(execution, creator, baseRaw, lamports);
    },
  });
  return outcome === null || outcome.isFailed ? null : outcome.slot;
}
