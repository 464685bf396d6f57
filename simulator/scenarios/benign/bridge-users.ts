import { payOrdinaryCreator } from '../audience.ts';
import { type BenignGroup, drawSol } from '../benign-group.ts';
import { withdraw } from '../funding.ts';
import { buyToken } from '../market-orders.ts';
import { paymentOrder, TRADE_COST_LAMPORTS } from '../orders.ts';
import type { ScenarioContext } from '../scenario.ts';
import { pause, type Script, together } from '../script.ts';
import { landWithRetries } from '../sending.ts';
import { launchStaged, planScenarioLaunch } from '../staged-token.ts';

/** Too many recipients for a funder (METHODS §0.5: more than 200 recipients in a day). */
const RECIPIENTS = 220;
const BUYERS = { least: 16, more: 10 } as const;
const PAID_WITHIN_MS = 90_000;
const BRIDGE_LAMPORTS = 200_000_000_000n;

/**
 * N14: a funding hub that is on no list yet. A bridge pays out hundreds of people one by one;
 * twenty of them buy the same token.
 */
export function* bridgeUsers(context: ScenarioContext, group: BenignGroup): Script {
  const { world, random } = context;
  const count = random.count(BUYERS);
  const bridge = group.open('bot', 'bridge');
  yield* withdraw(context, bridge, BRIDGE_LAMPORTS);
  const plan = planScenarioLaunch(context, yield* payOrdinaryCreator(context));
  const buyers = group.openSeveral(count, 'organic', 'bridge user');
  const others = Array.from({ length: RECIPIENTS - count }, () => world.keyring.wallet());
  for (const wallet of others) {
    const label = { automation: 'organic', isSmart: false, behaviour: 'bridge user' } as const;
    world.truth.labels.addWallet(wallet, label);
  }
  const sizes = new Map(buyers.map((buyer) => [buyer, drawSol(context, 0.1, 1)]));
  yield* together(
    random.shuffle([...buyers, ...others]).map(function* (wallet) {
      yield* pause(world, random.between(0, PAID_WITHIN_MS));
      const wanted = sizes.get(wallet) ?? drawSol(context, 0.02, 0.6);
      const payment = { wallet, lamports: wanted + 3n * TRADE_COST_LAMPORTS };
      yield* landWithRetries(world, paymentOrder(context, bridge, [payment]));
    }),
  );
  const launched = yield* launchStaged(context, { plan, quality: 0.3 });
  if (launched === null) return;
  group.begin(plan.mint, launched.token.launchSlot, { count, recipients: RECIPIENTS });
  yield* together(
    buyers.map(function* (trader) {
      yield* pause(world, random.between(1_000, 120_000));
      yield* buyToken(context, plan.mint, { trader, lamports: sizes.get(trader) ?? 0n });
    }),
  );
  group.end();
}
