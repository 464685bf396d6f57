import { stageOrdinaryToken } from '../audience.ts';
import type { BenignGroup } from '../benign-group.ts';
import { withdraw } from '../funding.ts';
import { buyToken, sellToken } from '../market-orders.ts';
import { paymentOrder, TRADE_COST_LAMPORTS } from '../orders.ts';
import type { ScenarioContext } from '../scenario.ts';
import { pause, type Script, together } from '../script.ts';
import { landWithRetries } from '../sending.ts';

const WALLETS = { least: 4, more: 4 } as const;
const EACH_LAMPORTS = 1_500_000_000n;
const OVER_MS = { least: 20 * 60_000, most: 45 * 60_000 } as const;
const SALES = 4;
/** Part of a wallet's holding that is sold in total. */
const SOLD_SHARE = { least: 0.2, most: 0.4 } as const;

/**
 * Beside a drip exit: one investor with several wallets takes profit over the better part of an hour
 * and keeps most of what it holds.
 */
export function* profitTakers(context: ScenarioContext, group: BenignGroup): Script {
  const { world, random } = context;
  const owner = group.open('organic', 'investor');
  const wallets = group.openSeveral(random.count(WALLETS), 'organic', 'wallet of an investor');
  const lamports = EACH_LAMPORTS + 6n * TRADE_COST_LAMPORTS;
  yield* withdraw(context, owner, BigInt(wallets.length + 1) * lamports);
  for (const wallet of wallets) {
    yield* landWithRetries(world, paymentOrder(context, owner, [{ wallet, lamports }]));
  }
  const staged = yield* stageOrdinaryToken(context, {
    quality: 0.4,
    onlookers: { count: 26, overMs: 90_000, medianSol: 0.5, nervousShare: 0.2 },
    purchases: 12,
  });
  if (staged === null) return;
  const { mint } = staged;
  group.begin(mint, world.slot, { wallets: wallets.length });
  const overMs = random.within(OVER_MS);
  yield* together(
    wallets.map(function* (trader) {
      yield* pause(world, random.between(0, 60_000));
      yield* buyToken(context, mint, { trader, lamports: EACH_LAMPORTS });
      const share = random.within(SOLD_SHARE) / SALES;
      for (let left = SALES; left > 0; left--) {
        yield* pause(world, random.between(0.5, 1) * (overMs / SALES));
        yield* sellToken(context, mint, { trader, share });
      }
    }),
  );
  group.end();
}
