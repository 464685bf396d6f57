import { payOrdinaryCreator } from '../audience.ts';
import { type BenignGroup, drawAmounts, drawSol, payStrangers } from '../benign-group.ts';
import { Onlookers } from '../onlookers.ts';
import { drawTip, purchaseOrder, saleOrder } from '../orders.ts';
import type { ScenarioContext } from '../scenario.ts';
import { pause, type Script, together } from '../script.ts';
import { land } from '../sending.ts';
import { launchStaged, openMarket, planScenarioLaunch } from '../staged-token.ts';

const COUNT = 8;
const PAID_WITHIN_MS = 180_000;

/**
 * N3: in the same block, one tip each, without any connection. Eight independent snipers buy in
 * the creation slot, each with its own tip.
 */
export function* independentSnipers(context: ScenarioContext, group: BenignGroup): Script {
  const { world, random } = context;
  const wallets = group.openSeveral(COUNT, 'bot', 'sniper');
  const sizeOf = drawAmounts(wallets, () => drawSol(context, 0.15, 1.6));
  const most = drawSol(context, 0.5, 3);
  yield* payStrangers(context, wallets, (wallet) => sizeOf(wallet) + most, PAID_WITHIN_MS);
  const plan = planScenarioLaunch(context, yield* payOrdinaryCreator(context));
  const behind = wallets.map((trader) => [
    purchaseOrder(context, {
      trader,
      market: plan.curve,
      lamports: sizeOf(trader),
      tipLamports: drawTip(random),
      priority: 200_000 + random.below(600_000),
    }),
  ]);
  const launched = yield* launchStaged(context, { plan, quality: 0.4, behind });
  if (launched === null) return;
  group.begin(plan.mint, launched.token.launchSlot, { count: COUNT });
  const onlookers = new Onlookers(context, plan.mint);
  onlookers.attract({ count: 14, overMs: 90_000, medianSol: 0.25, nervousShare: 0.3 });
  yield* together(
    wallets.map(function* (trader) {
      yield* pause(world, random.logNormal(45_000, 1));
      const market = yield* openMarket(context, plan.mint);
      if (market === null) return;
      const style = { trader, market, share: 1, closes: true, tipLamports: drawTip(random) };
      yield* land(world, saleOrder(context, style));
    }),
  );
  group.end();
}
