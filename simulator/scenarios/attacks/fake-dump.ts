import type { Address } from '../../../src/model/units.ts';
import type { Market } from '../../venues/market.ts';
import { costsFromStart, expectedCost, paymentFor, tokensOfShare } from '../amounts.ts';
import { stageAudience } from '../audience.ts';
import { Crew } from '../crew.ts';
import { buyTogether, purchasesNow } from '../crew-purchases.ts';
import { type TradedAmounts, tradedBy } from '../flow.ts';
import { fundCrew } from '../funding.ts';
import type { AttackKnobs } from '../knobs.ts';
import type { Onlookers } from '../onlookers.ts';
import { heldOf, partOf, saleOrder, TRADE_COST_LAMPORTS } from '../orders.ts';
import { sweep } from '../proceeds.ts';
import type { ScenarioContext } from '../scenario.ts';
import { pause, type Script } from '../script.ts';
import { firstSlotOf, land, lastSlotOf, type Outcome } from '../sending.ts';
import { LAUNCH_COST_LAMPORTS, openMarket, planScenarioLaunch } from '../staged-token.ts';

/**
 * Duration of a stable price before the sale, so a fall is measured from it (METHODS: five minutes'
 * mean).
 */
const CALM_MS = 320_000;
/** With fewer holders to frighten, it waits until more have bought. */
const HOLDERS_MIN = 24;
const HOLDERS_WAIT_MS = 60_000;
/** Target range of the price drop. */
const DROP = { least: 0.22, most: 0.45 } as const;
/** The buy-back waits until the cost per token is at most this share of the sale's proceeds. */
const DISCOUNT_MAX = 0.92;
const LOOK_EVERY_MS = 1_000;
/** Time without enough panic sales after which a second sale follows. */
const SECOND_SALE_AFTER_MS = 45_000;
const GIVE_UP_AFTER_MS = 10 * 60_000;
const EXPECTED_IN_CURVE_LAMPORTS = 22_000_000_000n;
/** Factor on the amount to buy back, as a reserve for purchases by others in between. */
const REBUY_CUSHION = 1.01;
const REBUY_ROUNDS_MAX = 4;
/** Minimum share of the sold tokens that restores the crew's position. */
const BOUGHT_SHARE_MIN = 0.97;
/**
 * Holders who see the creator sell also sell, regardless of the price: this share within this time.
 */
const FRIGHT_MS = 30_000;
const FRIGHTENED_SHARE = 0.6;
/** Bisection steps of the search for the size of the sale. */
const STEPS = 20;

/**
 * METHODS §7.6: a sale to frighten holders, and a buy-back by other wallets at the low price.
 * The creator dumps, holders sell in fear, and wallets of the same owner buy back cheaper.
 */
export function* fakeDump(context: ScenarioContext, knobs: AttackKnobs): Script {
  const { random } = context;
  const crew = new Crew(context, 'fake_dump', knobs);
  const creator = crew.open('attacker');
  const wallets = crew.recruit(knobs.wallets, 'bundler');
  const plan = planScenarioLaunch(context, creator);
  const [creatorBuyLamports = 0n] = costsFromStart([tokensOfShare(knobs.supplyShare)]);
  yield* fund(crew, creator, wallets, creatorBuyLamports, plan.mint);
  const staged = yield* stageAudience(context, {
    plan,
    creatorBuyLamports,
    quality: random.between(0.3, 0.7),
    onlookers: { count: 26 + random.below(10), overMs: 80_000, medianSol: 0.45, nervousShare: 0.8 },
    purchases: 22,
  });
  if (staged === null) return;
  staged.onlookers.attract(trickle(CALM_MS));
  yield* pause(context.world, CALM_MS + knobs.buyDelayMs);
  if (staged.onlookers.holderCount < HOLDERS_MIN) {
    staged.onlookers.attract({ ...trickle(HOLDERS_WAIT_MS), medianSol: 0.45 });
    yield* pause(context.world, HOLDERS_WAIT_MS);
  }
  const dump = yield* frighten(crew, creator, staged.onlookers, plan.mint);
  if (dump === null) return;
  const endSlot = yield* buyBack(crew, wallets, plan.mint, dump);
  if (endSlot === null) return;
  crew.begin(plan.mint, dump.startSlot);
  crew.end(endSlot);
  yield* sweep(crew, wallets);
}

/** A few buyers who keep the price stable. */
const trickle = (overMs: number) => ({
  count: 16,
  overMs,
  medianSol: 0.2,
  nervousShare: 0.3,
});

function* fund(
  crew: Crew,
  creator: Address,
  wallets: readonly Address[],
  creatorBuyLamports: bigint,
  mint: Address,
): Script {
  const tokens = tokensOfShare(crew.knobs.supplyShare);
  const expected = expectedCost(tokens, EXPECTED_IN_CURVE_LAMPORTS + creatorBuyLamports);
  const each = (expected * 15n) / (10n * BigInt(wallets.length)) + 4n * TRADE_COST_LAMPORTS;
  const own = creatorBuyLamports + LAUNCH_COST_LAMPORTS + 4n * TRADE_COST_LAMPORTS;
  const payments = wallets.map((wallet) => ({ wallet, lamports: each }));
  yield* fundCrew(crew, [{ wallet: creator, lamports: own }, ...payments], mint);
}

interface Dump {
  readonly startSlot: number;
  readonly sold: TradedAmounts;
}

/** Sells until buying back is cheap enough; null if the holders do not sell. */
function* frighten(
  crew: Crew,
  creator: Address,
  onlookers: Onlookers,
  mint: Address,
): Script<Dump | null> {
  const { world, random } = crew.context;
  const drop = random.within(DROP);
  const sales: Outcome[] = [];
  const startMs = world.nowMs;
  let soldMs = Number.NEGATIVE_INFINITY;
  while (world.nowMs < startMs + GIVE_UP_AFTER_MS) {
    const market = yield* openMarket(crew.context, mint);
    if (market === null) return null;
    const sold = tradedBy(sales, new Set([creator]), 'sell');
    const startSlot = firstSlotOf(sales);
    if (startSlot !== null && isCheap(crew, market, sold)) return { startSlot, sold };
    if (world.nowMs >= soldMs + SECOND_SALE_AFTER_MS) {
      const share = shareThatDrops(crew, market, creator, drop);
      if (share > 0) {
        sales.push(yield* land(world, saleOrder(crew.context, { trader: creator, market, share })));
      }
      soldMs = world.nowMs;
      onlookers.frighten(FRIGHT_MS, FRIGHTENED_SHARE);
    }
    yield* pause(world, LOOK_EVERY_MS);
  }
  return null;
}

function isCheap({ context, knobs }: Crew, market: Market, sold: TradedAmounts): boolean {
  if (sold.baseRaw === 0n) return false;
  const wanted = partOf(sold.baseRaw, knobs.rebuyShare * REBUY_CUSHION);
  const cost = paymentFor(context.world.chain.ledger, market, wanted);
  if (cost === null) return false;
  const paidPerToken = Number(cost) / Number(wanted);
  return paidPerToken <= DISCOUNT_MAX * (Number(sold.quoteRaw) / Number(sold.baseRaw));
}

/**
 * The share of the creator's holding whose sale lowers the price this far. On a constant product
 * the mean price of a sale is the geometric mean of the prices before and after it.
 */
function shareThatDrops(crew: Crew, market: Market, creator: Address, drop: number): number {
  const { ledger } = crew.context.world.chain;
  const heldRaw = heldOf(crew.context, creator, market.baseMint);
  const meanWanted = market.spotPrice(ledger) * Math.sqrt(1 - drop);
  let [low, high] = [0, 1];
  for (let step = 0; step < STEPS; step++) {
    const middle = (low + high) / 2;
    const raw = partOf(heldRaw, middle);
    const mean = raw === 0n ? meanWanted : Number(market.quote(ledger, 'sell', raw)) / Number(raw);
    if (mean > meanWanted) low = middle;
    else high = middle;
  }
  return heldRaw === 0n ? 0 : high;
}

/** Returns the last slot of the purchases; null if the money did not suffice. */
function* buyBack(
  crew: Crew,
  wallets: readonly Address[],
  mint: Address,
  { sold }: Dump,
): Script<number | null> {
  const buyers = new Set(wallets);
  const wanted = partOf(sold.baseRaw, crew.knobs.rebuyShare * REBUY_CUSHION);
  const outcomes: Outcome[] = [];
  for (let round = 0; round < REBUY_ROUNDS_MAX; round++) {
    const bought = tradedBy(outcomes, buyers, 'buy').baseRaw;
    if (bought >= partOf(sold.baseRaw, crew.knobs.rebuyShare)) break;
    const market = yield* openMarket(crew.context, mint);
    if (market === null) break;
    const purchases = purchasesNow(crew, market, wallets, wanted - bought);
    outcomes.push(...(yield* buyTogether(crew, purchases)));
  }
  const bought = tradedBy(outcomes, buyers, 'buy').baseRaw;
  return bought < partOf(sold.baseRaw, BOUGHT_SHARE_MIN) ? null : lastSlotOf(outcomes);
}
