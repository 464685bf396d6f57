import type { Address } from '../../../src/model/units.ts';
import { EXCHANGE_WALLETS } from '../../market/common-accounts.ts';
import { costsFromStart, expectedCost, tokensOfShare } from '../amounts.ts';
import { stageAudience } from '../audience.ts';
import { Crew } from '../crew.ts';
import { buyTogether, purchasesNow } from '../crew-purchases.ts';
import { tradedBy } from '../flow.ts';
import { fundCrew, withdraw } from '../funding.ts';
import type { AttackKnobs } from '../knobs.ts';
import { partOf, paymentOrder, saleOrder, TRADE_COST_LAMPORTS } from '../orders.ts';
import { spreadDecoys, sweep } from '../proceeds.ts';
import type { ScenarioContext } from '../scenario.ts';
import { pause, type Script } from '../script.ts';
import { firstSlotOf, land, landWithRetries, lastSlotOf, type Outcome } from '../sending.ts';
import { LAUNCH_COST_LAMPORTS, openMarket, planScenarioLaunch } from '../staged-token.ts';

/** Lamports assumed in the curve when estimating the cost of buying everything back. */
const EXPECTED_IN_CURVE_LAMPORTS = 25_000_000_000n;
/** Minimum share of the sold tokens for this pattern: the crew keeps its position. */
const REBUY_SHARE_MIN = 0.8;
/**
 * Minimum share of the intended purchase that counts as a buy-back: seven tenths of what was sold.
 */
const BOUGHT_SHARE_MIN = 0.9;
const SALE_GAP_MS = { least: 800, most: 12_000 } as const;
const REBUY_ROUNDS_MAX = 3;
/** Lamports the seller keeps for fees. */
const KEPT_LAMPORTS = 30_000_000n;

/**
 * METHODS §7.5: the creator sells publicly; the buy-back by the crew is hidden. The creator
 * sells publicly and buys back with bundled wallets funded by the proceeds.
 */
export function* bundleAndLaunder(context: ScenarioContext, knobs: AttackKnobs): Script {
  const { world, random } = context;
  const crew = new Crew(context, 'bundle_and_launder', knobs);
  const creator = crew.open('attacker');
  const plan = planScenarioLaunch(context, creator);
  const tokens = tokensOfShare(knobs.supplyShare);
  const [creatorBuyLamports = 0n] = costsFromStart([tokens]);
  const rebuy = expectedCost(tokens, EXPECTED_IN_CURVE_LAMPORTS) * 3n;
  yield* withdraw(context, creator, creatorBuyLamports + rebuy + 2n * LAUNCH_COST_LAMPORTS);
  crew.noteFunding(world.slot);
  const staged = yield* stageAudience(context, {
    plan,
    creatorBuyLamports,
    quality: random.between(0.3, 0.8),
    onlookers: { count: 16 + random.below(12), overMs: 70_000, medianSol: 0.3, nervousShare: 0.25 },
    purchases: 12,
  });
  if (staged === null) return;
  const sales = yield* sellInPublic(crew, creator, plan.mint);
  const startSlot = firstSlotOf(sales);
  if (startSlot === null) return;
  const wallets = crew.recruit(knobs.wallets, 'bundler');
  yield* launder(crew, creator, wallets, plan.mint);
  yield* pause(world, knobs.buyDelayMs);
  const sold = tradedBy(sales, new Set([creator]), 'sell').baseRaw;
  const wanted = partOf(sold, Math.max(knobs.rebuyShare, REBUY_SHARE_MIN));
  const endSlot = yield* buyBack(crew, wallets, plan.mint, wanted);
  if (endSlot === null) return;
  crew.begin(plan.mint, startSlot);
  crew.end(endSlot);
  const giver = wallets[0];
  if (giver !== undefined) yield* spreadDecoys(crew, giver, plan.mint);
  yield* sweep(crew, wallets);
}

/** Sells most of the creator's holding in one to four sales. */
function* sellInPublic(crew: Crew, creator: Address, mint: Address): Script<readonly Outcome[]> {
  const { context } = crew;
  const { random, world } = context;
  const outcomes: Outcome[] = [];
  const count = 1 + random.below(4);
  const total = random.between(0.7, 1);
  let held = 1;
  for (let left = count; left > 0; left--) {
    const market = yield* openMarket(context, mint);
    if (market === null) return outcomes;
    const share = total / count / held;
    held -= total / count;
    outcomes.push(yield* land(world, saleOrder(context, { trader: creator, market, share })));
    if (left > 1) yield* pause(world, random.within(SALE_GAP_MS));
  }
  return outcomes;
}

/**
 * The proceeds go to a wallet that pays the buyers; payments from exchanges are preceded by
 * deposits to an exchange.
 */
function* launder(
  crew: Crew,
  creator: Address,
  wallets: readonly Address[],
  mint: Address,
): Script {
  const { context, knobs } = crew;
  const { world, random } = context;
  const { lamports } = world.chain.ledger.get(creator);
  const money = lamports - KEPT_LAMPORTS;
  const deposited = partOf(money, knobs.hubShare);
  const handed = money - deposited;
  yield* pause(world, random.exponential(knobs.hopDelayMs));
  if (deposited > 0n) {
    const deposit = { wallet: random.pick(EXCHANGE_WALLETS), lamports: deposited };
    yield* landWithRetries(world, paymentOrder(context, creator, [deposit]));
  }
  const source = knobs.hubShare < 1 ? crew.open('funding_source') : null;
  if (source !== null) {
    const payment = { wallet: source, lamports: handed };
    yield* landWithRetries(world, paymentOrder(context, creator, [payment]));
  }
  const each = (money * 11n) / (20n * BigInt(wallets.length));
  const least = 3n * TRADE_COST_LAMPORTS;
  const payments = wallets.map((wallet) => ({ wallet, lamports: each > least ? each : least }));
  yield* fundCrew(crew, payments, mint, source);
}

/**
 * Buys until the crew has enough or runs out of money. Returns the last slot; null if the price
 * rose so far that too little was bought for the pattern.
 */
function* buyBack(
  crew: Crew,
  wallets: readonly Address[],
  mint: Address,
  wanted: bigint,
): Script<number | null> {
  const buyers = new Set(wallets);
  const outcomes: Outcome[] = [];
  for (let round = 0; round < REBUY_ROUNDS_MAX; round++) {
    const missing = wanted - tradedBy(outcomes, buyers, 'buy').baseRaw;
    if (missing <= wanted / 50n) break;
    const market = yield* openMarket(crew.context, mint);
    if (market === null) break;
    outcomes.push(...(yield* buyTogether(crew, purchasesNow(crew, market, wallets, missing))));
  }
  const bought = tradedBy(outcomes, buyers, 'buy').baseRaw;
  return bought < partOf(wanted, BOUGHT_SHARE_MIN) ? null : lastSlotOf(outcomes);
}
