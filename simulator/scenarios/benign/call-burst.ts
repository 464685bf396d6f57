import type { Address } from '../../../src/model/units.ts';
import { payOrdinaryCreator, stageAudience } from '../audience.ts';
import { drawSol, Innocents, payStrangers } from '../innocents.ts';
import { purchaseOrder } from '../orders.ts';
import type { BenignScenario } from '../scenario.ts';
import { pause, together } from '../script.ts';
import { land } from '../sending.ts';
import { openMarket, planScenarioLaunch } from '../staged-token.ts';

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
    const count = COUNT.least + random.below(COUNT.more);
    const followers = new Innocents(context, 'N4', { count });
    const wallets = followers.openSeveral(count, 'organic', 'follower');
    const sizes = new Map(wallets.map((wallet) => [wallet, drawSol(context, 0.05, 0.9)]));
    const sizeOf = (wallet: Address): bigint => sizes.get(wallet) ?? 0n;
    yield* payStrangers(context, wallets, sizeOf, PAID_WITHIN_MS);
    const plan = planScenarioLaunch(context, yield* payOrdinaryCreator(context, 'creator'));
    const staged = yield* stageAudience(context, {
      plan,
      quality: 0.7,
      onlookers: { count: 14, overMs: 60_000, medianSol: 0.2, nervousShare: 0.2 },
      purchases: 8,
    });
    if (staged === null) return;
    followers.begin(plan.mint, world.slot);
    yield* together(
      wallets.map(function* (trader) {
        yield* pause(world, random.exponential(REACTION_MEAN_MS));
        const market = yield* openMarket(context, plan.mint);
        if (market === null) return;
        const purchase = { trader, market, lamports: sizeOf(trader), priority: 20_000 };
        yield* land(world, purchaseOrder(context, purchase));
      }),
    );
    followers.end();
  },
};
