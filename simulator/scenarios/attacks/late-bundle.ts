import type { Address } from '../../../src/model/units.ts';
import { expectedCost, tokensOfShare } from '../amounts.ts';
import { payOrdinaryCreator, stageAudience } from '../audience.ts';
import { Crew } from '../crew.ts';
import { buyTogether, purchasesNow, takeSomeGains } from '../crew-purchases.ts';
import { fundCrew, withdraw } from '../funding.ts';
import type { AttackKnobs } from '../knobs.ts';
import { TRADE_COST_LAMPORTS } from '../orders.ts';
import { spreadDecoys, sweep } from '../proceeds.ts';
import type { ScenarioContext } from '../scenario.ts';
import { pause, type Script, together } from '../script.ts';
import { firstSlotOf, lastSlotOf } from '../sending.ts';
import { LAUNCH_COST_LAMPORTS, openMarket, planScenarioLaunch } from '../staged-token.ts';

/**
 * Funding happens before the price is known: it assumes this amount in the curve, plus a margin.
 */
const EXPECTED_IN_CURVE_LAMPORTS = 22_000_000_000n;
const PAYER_EXTRA_LAMPORTS = 200_000_000n;

/**
 * METHODS §7.4: the burst happens when others already trade, on the creator's own or another
 * token. Puppet wallets of one owner buy a token together after others have begun to trade it.
 */
export function* lateBundle(context: ScenarioContext, knobs: AttackKnobs): Script {
  const { world, random } = context;
  const crew = new Crew(context, 'late_bundle', knobs);
  const isOwnToken = random.chance(0.5);
  const creator = isOwnToken ? yield* payOwnCreator(crew) : yield* payOrdinaryCreator(context);
  const plan = planScenarioLaunch(context, creator);
  const wallets = crew.recruit(knobs.wallets, 'bundler');
  const staged = yield* stageAudience(context, {
    plan,
    quality: random.between(0.3, 0.8),
    onlookers: audience(random.below(10)),
    purchases: 12,
  });
  if (staged === null) return;
  yield* fundWallets(crew, wallets, plan.mint, isOwnToken ? creator : null);
  yield* pause(world, knobs.buyDelayMs);
  const market = yield* openMarket(context, plan.mint);
  if (market === null) return;
  const tokens = tokensOfShare(knobs.supplyShare);
  const outcomes = yield* buyTogether(crew, purchasesNow(crew, market, wallets, tokens));
  const startSlot = firstSlotOf(outcomes);
  if (startSlot === null) return;
  crew.begin(plan.mint, startSlot);
  crew.end(lastSlotOf(outcomes) ?? startSlot);
  const giver = wallets[0];
  yield* together([
    ...(giver === undefined ? [] : [spreadDecoys(crew, giver, plan.mint)]),
    takeSomeGains(crew, wallets, plan.mint),
  ]);
  yield* sweep(crew, wallets);
}

const audience = (more: number) => ({
  count: 16 + more,
  overMs: 60_000,
  medianSol: 0.3,
  nervousShare: 0.3,
});

function* payOwnCreator(crew: Crew): Script<Address> {
  const creator = crew.open('attacker');
  yield* withdraw(crew.context, creator, LAUNCH_COST_LAMPORTS);
  return creator;
}

/**
 * Paid by the creator of its own token, or by the organiser; at most one intermediary in between.
 */
function* fundWallets(
  crew: Crew,
  wallets: readonly Address[],
  mint: Address,
  creator: Address | null,
): Script {
  const { context, knobs } = crew;
  const count = BigInt(wallets.length);
  const expected = expectedCost(tokensOfShare(knobs.supplyShare), EXPECTED_IN_CURVE_LAMPORTS);
  const lamports = (expected * 14n) / (10n * count) + 3n * TRADE_COST_LAMPORTS;
  const payments = wallets.map((wallet) => ({ wallet, lamports }));
  if (knobs.hubShare === 1) {
    yield* fundCrew(crew, payments, mint);
    return;
  }
  const payer = creator ?? crew.open('attacker');
  const total = lamports * count * 2n + PAYER_EXTRA_LAMPORTS;
  yield* withdraw(context, payer, total);
  yield* pause(context.world, knobs.hopDelayMs);
  yield* fundCrew(crew, payments, mint, payer);
}
