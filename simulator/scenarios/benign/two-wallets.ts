import { stageOrdinaryToken } from '../audience.ts';
import { type BenignGroup, drawSol } from '../benign-group.ts';
import { withdraw } from '../funding.ts';
import { buyToken } from '../market-orders.ts';
import { paymentOrder, saleOrder, TRADE_COST_LAMPORTS } from '../orders.ts';
import type { ScenarioContext } from '../scenario.ts';
import { pause, type Script, together } from '../script.ts';
import { land, landWithRetries } from '../sending.ts';
import { openMarket } from '../staged-token.ts';

/**
 * N13: one person with two wallets, amounts too small to matter. A trader funds a second wallet
 * and makes small trades with both.
 */
export function* twoWallets(context: ScenarioContext, group: BenignGroup): Script {
  const { world, random } = context;
  const main = group.open('organic', 'main wallet');
  const burner = group.open('organic', 'burner wallet');
  const size = drawSol(context, 0.05, 0.25);
  yield* withdraw(context, main, 3n * size + 8n * TRADE_COST_LAMPORTS);
  const lamports = size + 3n * TRADE_COST_LAMPORTS;
  yield* landWithRetries(world, paymentOrder(context, main, [{ wallet: burner, lamports }]));
  const staged = yield* stageOrdinaryToken(context, {
    quality: 0.4,
    onlookers: { count: 16, overMs: 60_000, medianSol: 0.3, nervousShare: 0.3 },
    purchases: 8,
  });
  if (staged === null) return;
  group.begin(staged.mint, world.slot, { wallets: 2 });
  yield* together(
    [main, burner].map(function* (trader) {
      yield* pause(world, random.between(0, 8_000));
      yield* buyToken(context, staged.mint, { trader, lamports: size });
      yield* pause(world, random.between(20_000, 80_000));
      const market = yield* openMarket(context, staged.mint);
      if (market === null) return;
      yield* land(world, saleOrder(context, { trader, market, share: 1, closes: true }));
    }),
  );
  group.end();
}
