import { stageOrdinaryToken } from '../audience.ts';
import { type BenignGroup, drawAmounts, drawSol, payStrangers } from '../benign-group.ts';
import { buyToken } from '../market-orders.ts';
import type { ScenarioContext } from '../scenario.ts';
import { pause, type Script, together } from '../script.ts';

const COUNT = { least: 30, more: 25 } as const;
const PAID_WITHIN_MS = 200_000;
/** Most followers act within seconds. */
const REACTION_MEAN_MS = 9_000;

/**
 * N4: a burst of independent wallets that read the same post. Followers of a well-known account
 * buy a token within seconds of its call.
 */
export function* callBurst(context: ScenarioContext, group: BenignGroup): Script {
  const { world, random } = context;
  const count = random.count(COUNT);
  const wallets = group.openSeveral(count, 'organic', 'follower');
  const sizeOf = drawAmounts(wallets, () => drawSol(context, 0.05, 0.9));
  yield* payStrangers(context, wallets, sizeOf, PAID_WITHIN_MS);
  const staged = yield* stageOrdinaryToken(context, {
    quality: 0.7,
    onlookers: { count: 14, overMs: 60_000, medianSol: 0.2, nervousShare: 0.2 },
    purchases: 8,
  });
  if (staged === null) return;
  group.begin(staged.mint, world.slot, { count });
  yield* together(
    wallets.map(function* (trader) {
      yield* pause(world, random.exponential(REACTION_MEAN_MS));
      const purchase = { trader, lamports: sizeOf(trader), priority: 20_000 };
      yield* buyToken(context, staged.mint, purchase);
    }),
  );
  group.end();
}
