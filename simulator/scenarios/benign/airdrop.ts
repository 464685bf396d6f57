import { costsFromStart, tokensOfShare } from '../amounts.ts';
import { payOrdinaryCreator, stageAudience } from '../audience.ts';
import type { BenignGroup } from '../benign-group.ts';
import { evenGroups, tokenOrder } from '../orders.ts';
import type { ScenarioContext } from '../scenario.ts';
import { pause, type Script } from '../script.ts';
import { landGroups } from '../sending.ts';
import { planScenarioLaunch } from '../staged-token.ts';

const RECIPIENTS = { least: 1_000, more: 200 } as const;
const PER_TRANSACTION = 7;
const TRANSACTIONS_AT_ONCE = 10;
const CREATOR_SHARE = 0.08;
/** Rent of a token account and fees, per recipient. */
const RECIPIENT_LAMPORTS = 2_200_000n;

/**
 * N11: a thousand wallets with tokens from one sender, owned by a thousand people. A creator
 * gives away tokens to more than a thousand users.
 */
export function* airdrop(context: ScenarioContext, group: BenignGroup): Script {
  const { world, random } = context;
  const count = random.count(RECIPIENTS);
  const [creatorBuyLamports = 0n] = costsFromStart([tokensOfShare(CREATOR_SHARE)]);
  const money = creatorBuyLamports + BigInt(count) * RECIPIENT_LAMPORTS;
  const creator = yield* payOrdinaryCreator(context, money);
  group.add(creator);
  const plan = planScenarioLaunch(context, creator);
  const staged = yield* stageAudience(context, {
    plan,
    creatorBuyLamports,
    quality: 0.4,
    onlookers: { count: 14, overMs: 60_000, medianSol: 0.25, nervousShare: 0.2 },
    purchases: 7,
  });
  if (staged === null) return;
  group.begin(plan.mint, world.slot, { count });
  const recipients = group.openSeveral(count, 'organic', 'airdrop recipient');
  const groups = evenGroups(recipients, PER_TRANSACTION);
  for (const batch of evenGroups(groups, TRANSACTIONS_AT_ONCE)) {
    const orders = batch.map((wallets) =>
      tokenOrder(
        context,
        creator,
        plan.mint,
        wallets.map((wallet) => ({ wallet, share: random.between(0.3, 0.9) / count })),
      ),
    );
    yield* landGroups(
      world,
      orders.map((order) => [order]),
    );
    yield* pause(world, random.between(300, 1_500));
  }
  group.end();
}
