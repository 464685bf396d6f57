import { WRAPPED_SOL } from '../../../src/model/program.ts';
import type { Address } from '../../../src/model/units.ts';
import type { Ledger } from '../../chain/ledger.ts';
import { buySteps, sellSteps } from '../../market/trade-steps.ts';
import type { LiquidityPool } from '../../venues/launchpad.ts';
import { planRaydiumCpmm } from '../../venues/raydium-cpmm.ts';
import { attractAudience, payOrdinaryCreator } from '../audience.ts';
import type { BenignGroup } from '../benign-group.ts';
import { withdraw } from '../funding.ts';
import type { ScenarioContext } from '../scenario.ts';
import { pause, type Script } from '../script.ts';
import { land, type PlainOrder } from '../sending.ts';
import { mintStaged, openStaged, POOL_COST_LAMPORTS, planStagedPool } from '../staged-pool.ts';

const POOL_LAMPORTS = 30_000_000_000n;
const ARBITRAGEUR_LAMPORTS = 15_000_000_000n;
const LOOK_EVERY_MS = 800;
const LASTS_MS = 240_000;
/** Candidate sizes in lamports; the most profitable one is used. */
const SIZES = [50, 100, 200, 400, 800, 1_600, 3_200].map((milli) => BigInt(milli) * 1_000_000n);
/** Minimum profit, to cover network fees. */
const GAIN_LAMPORTS_MIN = 400_000n;
const ARBITRAGEURS = 2;

/**
 * N7: buys in one pool and sells in another within one transaction, at a profit. Arbitrageurs
 * keep two pools of a token at one price.
 */
export function* arbitrage(context: ScenarioContext, group: BenignGroup): Script {
  const { world } = context;
  const wallets = group.openSeveral(ARBITRAGEURS, 'bot', 'arbitrageur');
  for (const wallet of wallets) yield* withdraw(context, wallet, ARBITRAGEUR_LAMPORTS);
  const money = 2n * (POOL_LAMPORTS + POOL_COST_LAMPORTS);
  const creator = yield* payOrdinaryCreator(context, money);
  const staged = planStagedPool(context, creator, 'raydium_cpmm');
  const { mint } = staged.token;
  const planned = planRaydiumCpmm(world, { baseMint: mint, quoteMint: WRAPPED_SOL });
  if ((yield* mintStaged(context, staged)) === null) return;
  const part = { supplyShare: 0.45, lamports: POOL_LAMPORTS };
  const slot = yield* openStaged(context, staged, part);
  const other = yield* openStaged(context, { ...staged, planned, pool: planned.pool }, part);
  if (slot === null || other === null) return;
  const nerves = { nervousShare: 0.3, impatientShare: 0.6 };
  attractAudience(context, mint, 0.4, { count: 24, overMs: 200_000, medianSol: 0.6, ...nerves });
  yield* watchPools(context, wallets, [staged.pool, planned.pool], () =>
    group.begin(mint, world.slot, { arbitrageurs: ARBITRAGEURS }),
  );
  group.end();
}

function* watchPools(
  context: ScenarioContext,
  wallets: readonly Address[],
  [one, other]: readonly [LiquidityPool, LiquidityPool],
  onFirst: () => void,
): Script {
  const { world, random } = context;
  const endMs = world.nowMs + LASTS_MS;
  let hasTraded = false;
  while (world.nowMs < endMs) {
    yield* pause(world, LOOK_EVERY_MS);
    const order =
      bestOrder(context, random.pick(wallets), one, other) ??
      bestOrder(context, random.pick(wallets), other, one);
    if (order === null) continue;
    if (!hasTraded) onFirst();
    hasTraded = true;
    yield* land(world, order);
  }
}

/** Buys in one pool and sells everything in the other; null if there is no profit. */
function bestOrder(
  { world }: ScenarioContext,
  trader: Address,
  cheap: LiquidityPool,
  dear: LiquidityPool,
): PlainOrder | null {
  const { ledger } = world.chain;
  let [best, bestGain] = [0n, GAIN_LAMPORTS_MIN];
  for (const size of SIZES) {
    const gain = returnOf(ledger, cheap, dear, size) - size;
    if (gain > bestGain) [best, bestGain] = [size, gain];
  }
  if (best === 0n) return null;
  const { tokenAccounts } = world;
  const bought = tokenAccounts.of(trader, cheap.baseMint);
  return {
    feePayer: trader,
    computeBudget: { unitLimit: 400_000, priceMicroLamports: 200_000n },
    priority: 400_000,
    build(execution) {
      const steps = { trader, minOutRaw: 1n };
      buySteps(execution, tokenAccounts, { ...steps, market: cheap, amountInRaw: best });
      const amountInRaw = execution.ledger.heldRaw(bought);
      const minOutRaw = best + 1n;
      sellSteps(execution, tokenAccounts, { market: dear, trader, amountInRaw, minOutRaw });
    },
  };
}

function returnOf(
  ledger: Ledger,
  cheap: LiquidityPool,
  dear: LiquidityPool,
  lamports: bigint,
): bigint {
  return dear.quote(ledger, 'sell', cheap.quote(ledger, 'buy', lamports));
}
