import { attractAudience, payOrdinaryCreator } from '../audience.ts';
import { type BenignGroup, drawAmounts, drawSol, payStrangers } from '../benign-group.ts';
import { heldOf, purchaseOrder, saleOrder } from '../orders.ts';
import type { ScenarioContext } from '../scenario.ts';
import { pause, type Script, together } from '../script.ts';
import { land } from '../sending.ts';
import { mintStaged, POOL_COST_LAMPORTS, planStagedPool } from '../staged-pool.ts';
import { openTwoPools } from './two-pools.ts';

const POOL_LAMPORTS = 15_000_000_000n;
const HOLDERS = { least: 24, more: 12 } as const;
const GATHER_MS = 90_000;
const PANIC_MS = { least: 20_000, most: 60_000 } as const;
const LEAVING_SHARE = 0.8;

/** Beside an exit through two pools: unrelated holders of both pools sell out of fear. */
export function* twoPoolPanic(context: ScenarioContext, group: BenignGroup): Script {
  const { world, random } = context;
  const creator = yield* payOrdinaryCreator(context, 2n * (POOL_LAMPORTS + POOL_COST_LAMPORTS));
  const staged = planStagedPool(context, creator, 'raydium_cpmm');
  if ((yield* mintStaged(context, staged)) === null) return;
  const opened = yield* openTwoPools(context, staged, POOL_LAMPORTS);
  if (opened === null) return;
  const { mint, pools } = opened;
  const holders = group.openSeveral(random.count(HOLDERS), 'organic', 'holder');
  const amountOf = drawAmounts(holders, () => drawSol(context, 0.2, 1.2));
  yield* payStrangers(context, holders, amountOf, GATHER_MS);
  attractAudience(context, mint, 0.3, {
    count: 14,
    overMs: 120_000,
    medianSol: 0.4,
    nervousShare: 0.3,
  });
  group.begin(mint, world.slot, { holders: holders.length });
  const panicMs = random.within(PANIC_MS);
  const startMs = world.nowMs + GATHER_MS;
  yield* together(
    holders.map(function* (trader) {
      yield* pause(world, random.between(0, GATHER_MS));
      const market = random.pick(pools);
      yield* land(world, purchaseOrder(context, { trader, market, lamports: amountOf(trader) }));
      yield* pause(world, startMs - world.nowMs + random.between(0, panicMs));
      if (heldOf(context, trader, mint) === 0n || !random.chance(LEAVING_SHARE)) return;
      yield* land(world, saleOrder(context, { trader, market: random.pick(pools), share: 1 }));
    }),
  );
  group.end();
}
