import { WRAPPED_SOL } from '../../../src/model/program.ts';
import type { Address } from '../../../src/model/units.ts';
import type { LiquidityPool } from '../../venues/launchpad.ts';
import { planRaydiumCpmm } from '../../venues/raydium-cpmm.ts';
import type { ScenarioContext } from '../scenario.ts';
import type { Script } from '../script.ts';
import { openStaged, type PlannedStagedPool } from '../staged-pool.ts';

/** Share of the supply in each pool. */
const POOL_SHARE = 0.4;

/** A token that is traded in two pools. */
export interface TwoPools {
  readonly mint: Address;
  readonly creator: Address;
  readonly pools: readonly [LiquidityPool, LiquidityPool];
  /** Slot of the first pool. */
  readonly slot: number;
}

/**
 * Opens two pools of a token that was created, each with these lamports and two fifths of what the
 * creator holds. Null if one fails.
 */
export function* openTwoPools(
  context: ScenarioContext,
  staged: PlannedStagedPool,
  lamports: bigint,
): Script<TwoPools | null> {
  const { mint } = staged.token;
  const pair = { baseMint: mint, quoteMint: WRAPPED_SOL };
  const planned = planRaydiumCpmm(context.world, pair);
  const part = { supplyShare: POOL_SHARE, lamports };
  const slot = yield* openStaged(context, staged, part);
  const other = yield* openStaged(context, { ...staged, planned, pool: planned.pool }, part);
  if (slot === null || other === null) return null;
  return { mint, creator: staged.creator, pools: [staged.pool, planned.pool], slot };
}
