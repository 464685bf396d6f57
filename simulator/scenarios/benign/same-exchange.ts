import { EXCHANGE_WALLETS } from '../../market/common-accounts.ts';
import { payOrdinaryCreator } from '../audience.ts';
import { type BenignGroup, drawSol } from '../benign-group.ts';
import { withdraw } from '../funding.ts';
import { purchaseOrder, TRADE_COST_LAMPORTS } from '../orders.ts';
import type { ScenarioContext } from '../scenario.ts';
import { pause, type Script, together } from '../script.ts';
import { land } from '../sending.ts';
import { launchStaged, openMarket, planScenarioLaunch } from '../staged-token.ts';

const COUNT = { least: 26, more: 9 } as const;
const PAID_WITHIN_MS = 150_000;
const BOUGHT_WITHIN_MS = 180_000;
/** Many withdrawals are round sums. */
const ROUND_SOL = [0.25, 0.5, 1] as const;

/**
 * N1: the wallets share only the exchange they withdraw from. Thirty unrelated wallets, all
 * funded by one exchange, buy the same token.
 */
export function* sameExchange(context: ScenarioContext, group: BenignGroup): Script {
  const { world, random } = context;
  const count = random.count(COUNT);
  const hotWallet = random.pick(EXCHANGE_WALLETS);
  const plan = planScenarioLaunch(context, yield* payOrdinaryCreator(context));
  const launched = yield* launchStaged(context, { plan, quality: 0.3 });
  if (launched === null) return;
  group.begin(plan.mint, launched.token.launchSlot, { count });
  yield* together(
    group.openSeveral(count, 'organic', 'exchange user').map(function* (trader) {
      yield* pause(world, random.between(0, PAID_WITHIN_MS));
      const isRound = random.chance(0.4);
      const lamports = isRound ? BigInt(random.pick(ROUND_SOL) * 1e9) : drawSol(context, 0.08, 1.2);
      const paid = lamports + 3n * TRADE_COST_LAMPORTS;
      yield* withdraw(context, trader, paid, hotWallet);
      yield* pause(world, random.between(2_000, BOUGHT_WITHIN_MS));
      const market = yield* openMarket(context, plan.mint);
      if (market === null) return;
      const spent = (lamports * BigInt(40 + random.below(60))) / 100n;
      yield* land(world, purchaseOrder(context, { trader, market, lamports: spent }));
    }),
  );
  group.end();
}
