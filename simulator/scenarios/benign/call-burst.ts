import { stageOrdinaryToken } from '../audience.ts';
import { drawAmounts, drawSol, Innocents, payStrangers } from '../innocents.ts';
import { buyToken } from '../market-orders.ts';
import type { BenignScenario } from '../scenario.ts';
import { pause, together } from '../script.ts';

const COUNT = { least: 30, more: 25 } as const;
const PAID_WITHIN_MS = 200_000;
/** Most followers act within seconds. */
const REACTION_MEAN_MS = 9_000;

/** N4: a burst of independent wallets that read the same post. */
export const callBurst: BenignScenario = {
  name: 'N4',
  describe: 'Followers of a well-known account buy a token within seconds of its call.',
  *run(context) {
    const { world, random } = context;
    const count = random.count(COUNT);
    const followers = new Innocents(context, 'N4', { count });
    const wallets = followers.openSeveral(count, 'organic', 'follower');
    const sizeOf = drawAmounts(wallets, () => drawSol(context, 0.05, 0.9));
    yield* payStrangers(context, wallets, sizeOf, PAID_WITHIN_MS);
    const staged = yield* stageOrdinaryToken(context, {
      quality: 0.7,
      onlookers: { count: 14, overMs: 60_000, medianSol: 0.2, nervousShare: 0.2 },
      purchases: 8,
    });
    if (staged === null) return;
    followers.begin(staged.mint, world.slot);
    yield* together(
      wallets.map(function* (trader) {
        yield* pause(world, random.exponential(REACTION_MEAN_MS));
        const purchase = { trader, lamports: sizeOf(trader), priority: 20_000 };
        yield* buyToken(context, staged.mint, purchase);
      }),
    );
    followers.end();
  },
};
