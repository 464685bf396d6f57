import type { Address } from '../../../src/model/units.ts';
import { costsFromStart, tokensOfShare } from '../amounts.ts';
import { Crew } from '../crew.ts';
import { CREW_PRIORITY, landSpread, splitUnevenly, takeSomeGains } from '../crew-purchases.ts';
import { fundCrew, withdraw } from '../funding.ts';
import type { AttackKnobs } from '../knobs.ts';
import { Onlookers } from '../onlookers.ts';
import { type Purchase, purchaseGroups, TRADE_COST_LAMPORTS } from '../orders.ts';
import { spreadDecoys, sweep } from '../proceeds.ts';
import type { ScenarioContext } from '../scenario.ts';
import { pause, type Script, together } from '../script.ts';
import { BUNDLE_SIZE_MAX, lastSlotOf, type PlainOrder } from '../sending.ts';
import {
  LAUNCH_COST_LAMPORTS,
  launchStaged,
  planScenarioLaunch,
  type StagedToken,
} from '../staged-token.ts';

/**
 * Share of the supply that the crew holds by the end of the creation's slot, regardless of later
 * purchases.
 */
const CORE_SHARE = 0.075;
const FUNDER_EXTRA_LAMPORTS = 100_000_000n;
/** Cost of the decoys' accounts, paid by the creator. */
const DECOY_LAMPORTS = 40_000_000n;

/**
 * METHODS §7.3: a creator and puppet wallets take a large share of the supply at creation.
 * Puppet wallets of one owner buy a large share of a token in its creation slot.
 */
export function* traditionalBundle(context: ScenarioContext, knobs: AttackKnobs): Script {
  const crew = new Crew(context, 'traditional_bundle', knobs);
  const creator = crew.open('attacker');
  const wallets = crew.recruit(knobs.wallets, 'bundler');
  const plan = planScenarioLaunch(context, creator);
  const purchases = planPurchases(crew, wallets, plan.curve);
  yield* fund(crew, creator, purchases, plan.mint);
  yield* pause(context.world, knobs.buyDelayMs);
  const groups = groupsOf(crew, purchases);
  const isBundledWithCreation = knobs.tipStyle === 'shared';
  const launched = yield* launchStaged(context, {
    plan,
    quality: context.random.between(0.2, 0.8),
    bundledWith: isBundledWithCreation ? (groups.core[0] ?? []) : [],
    behind: isBundledWithCreation ? groups.core.slice(1) : groups.core,
  });
  if (launched === null) return;
  const { token, outcomes } = launched;
  crew.begin(token.mint, token.launchSlot);
  const late = yield* landSpread(crew, groups.rest);
  crew.end(lastSlotOf([...outcomes, ...late]) ?? token.launchSlot);
  yield* liveOn(context, crew, wallets, token);
}

function planPurchases(crew: Crew, wallets: readonly Address[], market: Purchase['market']) {
  const { knobs, context } = crew;
  const total = tokensOfShare(knobs.supplyShare);
  const tokens = splitUnevenly(context.random, total, wallets.length, knobs.sizeJitter);
  const costs = costsFromStart(tokens);
  return wallets.map((trader, index): Purchase => {
    const lamports = costs[index] ?? 0n;
    return { trader, market, lamports, priority: CREW_PRIORITY };
  });
}

/** Either the creator funds all wallets, or a funder pays the creator as well. */
function* fund(
  crew: Crew,
  creator: Address,
  purchases: readonly Purchase[],
  mint: Address,
): Script {
  const { context, knobs } = crew;
  const payments = purchases.map(({ trader: wallet, lamports }) => ({
    wallet,
    lamports: lamports + 3n * TRADE_COST_LAMPORTS,
  }));
  const own = LAUNCH_COST_LAMPORTS + DECOY_LAMPORTS;
  if (knobs.fundingHops > 0 || context.random.chance(0.5)) {
    yield* fundCrew(crew, [{ wallet: creator, lamports: own }, ...payments], mint);
    return;
  }
  const total = payments.reduce((sum, { lamports }) => sum + lamports, own);
  yield* withdraw(context, creator, total + total / 10n + FUNDER_EXTRA_LAMPORTS);
  yield* pause(context.world, knobs.hopDelayMs);
  yield* fundCrew(crew, payments, mint, creator);
}

interface LaunchGroups {
  /** In the creation's slot. */
  readonly core: PlainOrder[][];
  readonly rest: PlainOrder[][];
}

/**
 * Without a slot spread all wallets buy in the creation's slot; otherwise at least half of them,
 * and enough for `CORE_SHARE`.
 */
function groupsOf(crew: Crew, purchases: readonly Purchase[]): LaunchGroups {
  const { context, knobs } = crew;
  const { tipStyle, slotSpread, supplyShare } = knobs;
  const coreShare = slotSpread === 0 ? 1 : Math.max(CORE_SHARE / supplyShare, 0.5);
  const coreCount = Math.min(purchases.length, Math.ceil(coreShare * purchases.length));
  const [core, rest] = [purchases.slice(0, coreCount), purchases.slice(coreCount)];
  if (tipStyle !== 'shared') {
    return {
      core: purchaseGroups(context, core, tipStyle),
      rest: purchaseGroups(context, rest, tipStyle),
    };
  }
  // The creation is the first transaction of the first bundle.
  const withCreation = BUNDLE_SIZE_MAX - 1;
  const behind = purchaseGroups(context, core.slice(withCreation), tipStyle);
  return {
    core: [...purchaseGroups(context, core.slice(0, withCreation), tipStyle), ...behind],
    rest: purchaseGroups(context, rest, tipStyle),
  };
}

function* liveOn(
  context: ScenarioContext,
  crew: Crew,
  wallets: readonly Address[],
  { mint }: StagedToken,
): Script {
  const { random } = context;
  const onlookers = new Onlookers(context, mint);
  const count = 8 + random.below(18);
  onlookers.attract({ count, overMs: 120_000, medianSol: 0.25, nervousShare: 0.3 });
  const giver = wallets[0];
  yield* together([
    ...(giver === undefined ? [] : [spreadDecoys(crew, giver, mint)]),
    takeSomeGains(crew, wallets, mint),
  ]);
  yield* sweep(crew, wallets);
}
