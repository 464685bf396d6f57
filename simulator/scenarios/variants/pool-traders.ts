import type { Address } from '../../../src/model/units.ts';
import { attractAudience, payOrdinaryCreator } from '../audience.ts';
import type { BenignGroup } from '../benign-group.ts';
import { withdraw } from '../funding.ts';
import { heldOf, purchaseOrder, saleOrder } from '../orders.ts';
import type { ScenarioContext } from '../scenario.ts';
import { pause, type Script, together } from '../script.ts';
import { land } from '../sending.ts';
import { mintStaged, POOL_COST_LAMPORTS, planStagedPool } from '../staged-pool.ts';
import { openTwoPools, type TwoPools } from './two-pools.ts';

const POOL_LAMPORTS = 25_000_000_000n;
const TRADER_LAMPORTS = 4_000_000_000n;
const TRADE_LAMPORTS = 500_000_000n;
const LASTS_MS = 300_000;
const LOOK_EVERY_MS = 1_500;
/** Least gain of a trade at the prices they see. */
const GAIN_LAMPORTS_MIN = 5_000_000n;
const TRADERS = 1;

/**
 * Beside wash trading in two pools: people buy where a token is cheaper and sell where it is dearer,
 * in two transactions, and keep the difference.
 */
export function* poolTraders(context: ScenarioContext, group: BenignGroup): Script {
  const { world } = context;
  const traders = group.openSeveral(TRADERS, 'bot', 'trader between pools');
  for (const trader of traders) yield* withdraw(context, trader, TRADER_LAMPORTS);
  const creator = yield* payOrdinaryCreator(context, 2n * (POOL_LAMPORTS + POOL_COST_LAMPORTS));
  const staged = planStagedPool(context, creator, 'raydium_cpmm');
  if ((yield* mintStaged(context, staged)) === null) return;
  const opened = yield* openTwoPools(context, staged, POOL_LAMPORTS);
  if (opened === null) return;
  const nerves = { nervousShare: 0.3, impatientShare: 0.7 };
  attractAudience(context, opened.mint, 0.4, {
    count: 60,
    overMs: LASTS_MS,
    medianSol: 0.9,
    ...nerves,
  });
  group.begin(opened.mint, world.slot, { traders: traders.length });
  yield* together(traders.map((trader) => tradeDifferences(context, trader, opened)));
  group.end();
}

function* tradeDifferences(
  context: ScenarioContext,
  trader: Address,
  { mint, pools }: TwoPools,
): Script {
  const { world, random } = context;
  const { ledger } = world.chain;
  const endMs = world.nowMs + LASTS_MS;
  while (world.nowMs < endMs) {
    yield* pause(world, LOOK_EVERY_MS * random.between(0.5, 1.5));
    const [cheap, dear] = pools.toSorted(
      (one, other) => one.spotPrice(ledger) - other.spotPrice(ledger),
    );
    if (cheap === undefined || dear === undefined) return;
    const bought = cheap.quote(ledger, 'buy', TRADE_LAMPORTS);
    const gain = dear.quote(ledger, 'sell', bought) - TRADE_LAMPORTS;
    if (gain < GAIN_LAMPORTS_MIN) continue;
    const purchase = { trader, market: cheap, lamports: TRADE_LAMPORTS };
    yield* land(world, purchaseOrder(context, purchase));
    if (heldOf(context, trader, mint) === 0n) continue;
    yield* land(world, saleOrder(context, { trader, market: dear, share: 1 }));
  }
}
