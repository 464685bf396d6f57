import type { Address } from '../../../src/model/units.ts';
import { Crew } from '../crew.ts';
import { CREW_PRIORITY } from '../crew-purchases.ts';
import { allocateInPool, type ExitPosition, gatherOnCurve } from '../exit-position.ts';
import { fundCrew } from '../funding.ts';
import type { AttackKnobs } from '../knobs.ts';
import { Onlookers } from '../onlookers.ts';
import { drawTip, heldOf, partOf, saleOrder, TRADE_COST_LAMPORTS, tokenOrder } from '../orders.ts';
import { sweep } from '../proceeds.ts';
import type { ScenarioContext } from '../scenario.ts';
import { pause, type Script, together, waitUntil } from '../script.ts';
import { firstSlotOf, land, lastSlotOf, type Outcome } from '../sending.ts';
import { openMarket } from '../staged-token.ts';

/** Duration of the exit, and the additional time per slot of spread. */
const EXIT_MS = 4_000;
const EXIT_MS_PER_SLOT = 12_000;
/** Share of each wallet's holding. */
const EXIT_SHARE = { least: 0.8, most: 1 } as const;
const AUDIENCE = { everyMs: 1_000, atMostMs: 15 * 60_000 } as const;
const PURCHASES_MIN = 18;
/** Time within which the tokens are sent to the single seller. */
const FORWARD_MS = 40_000;
/** Crews that exit through bins hold less: the quote in the bins came from other buyers. */
const ONE_SIDED_SHARE_MAX = 0.16;

/**
 * METHODS §7.7: a crew exits within minutes, by sales, through one seller, with the liquidity.
 * Wallets of one owner sell most of their tokens at the same time, or withdraw the pool.
 */
export function* coordinatedExit(context: ScenarioContext, knobs: AttackKnobs): Script {
  const { random, world } = context;
  const isOneSided = knobs.liquidityExit === 'one_sided';
  const supplyShare = isOneSided
    ? Math.min(knobs.supplyShare, ONE_SIDED_SHARE_MAX)
    : knobs.supplyShare;
  const crew = new Crew(context, 'coordinated_exit', { ...knobs, supplyShare });
  const creator = crew.open('attacker');
  const role = knobs.forwardsToOneSeller ? 'intermediary' : 'unknown';
  const wallets = crew.recruit(Math.max(3, knobs.wallets), role);
  const position =
    knobs.liquidityExit === 'none'
      ? yield* gatherOnCurve(crew, wallets, creator)
      : yield* allocateInPool(crew, wallets, creator);
  if (position === null) return;
  const onlookers = new Onlookers(context, position.mint);
  const count = 26 + random.below(14);
  onlookers.attract({ count, overMs: 90_000, medianSol: 0.4, nervousShare: 0.4 });
  const seller = knobs.forwardsToOneSeller ? crew.open('attacker') : null;
  if (seller !== null) yield* paySeller(crew, seller, position.mint);
  yield* waitUntil(world, () => onlookers.purchases >= PURCHASES_MIN, AUDIENCE);
  yield* pause(world, knobs.buyDelayMs);
  yield* leave(crew, position, seller);
}

function* paySeller(crew: Crew, seller: Address, mint: Address): Script {
  yield* fundCrew(crew, [{ wallet: seller, lamports: 6n * TRADE_COST_LAMPORTS }], mint);
}

function* leave(crew: Crew, position: ExitPosition, seller: Address | null): Script {
  const { world } = crew.context;
  const { mint, wallets, removeLiquidity } = position;
  const forwarded = seller === null ? [] : yield* forward(crew, position, seller);
  const sales =
    seller === null
      ? yield* sellAtOnce(crew, wallets, mint)
      : yield* sellInParts(crew, seller, mint);
  const outcomes = [...forwarded, ...sales];
  const startSlot = firstSlotOf(outcomes);
  if (startSlot === null) return;
  crew.begin(mint, startSlot);
  if (removeLiquidity !== null) outcomes.push(yield* land(world, removeLiquidity));
  crew.end(lastSlotOf(outcomes) ?? startSlot);
  yield* sweep(crew, [...(seller === null ? wallets : [seller]), position.creator]);
}

/** Each wallet sells at a time of its own within the exit, with the crew's tip style. */
function* sellAtOnce(
  crew: Crew,
  wallets: readonly Address[],
  mint: Address,
): Script<readonly Outcome[]> {
  const { context, knobs } = crew;
  const { random, world } = context;
  const exitMs = EXIT_MS + knobs.slotSpread * EXIT_MS_PER_SLOT;
  const outcomes: Outcome[] = [];
  yield* together(
    wallets.map(function* (trader) {
      yield* pause(world, random.between(0, exitMs));
      const share = random.within(EXIT_SHARE);
      outcomes.push(yield* sell(crew, trader, mint, share));
    }),
  );
  return outcomes;
}

/** The single seller sells everything in two to five parts. */
function* sellInParts(crew: Crew, seller: Address, mint: Address): Script<readonly Outcome[]> {
  const { context, knobs } = crew;
  const { random, world } = context;
  const outcomes: Outcome[] = [];
  const count = 2 + random.below(4);
  const exitMs = EXIT_MS + knobs.slotSpread * EXIT_MS_PER_SLOT;
  for (let left = count; left > 0; left--) {
    outcomes.push(yield* sell(crew, seller, mint, 1 / left));
    if (left > 1) yield* pause(world, random.between(0, (1.5 * exitMs) / count));
  }
  return outcomes;
}

/** Sells a share of a wallet's holding, or as much of it as the pool takes. */
function* sell(crew: Crew, trader: Address, mint: Address, share: number): Script<Outcome> {
  const { context, knobs } = crew;
  const { world, random } = context;
  const market = yield* openMarket(context, mint);
  if (market === null) return null;
  const heldRaw = heldOf(context, trader, mint);
  let part = share;
  while (part > 0.01 && market.quote(world.chain.ledger, 'sell', partOf(heldRaw, part)) === 0n) {
    part /= 2;
  }
  const tipLamports = knobs.tipStyle === 'none' ? 0n : drawTip(random);
  const style = { trader, market, tipLamports, priority: CREW_PRIORITY };
  return yield* land(world, saleOrder(context, { ...style, share: part }));
}

/** Every wallet sends its holding to the seller. */
function* forward(
  crew: Crew,
  { wallets, mint }: ExitPosition,
  seller: Address,
): Script<readonly Outcome[]> {
  const { context } = crew;
  const { random, world } = context;
  const outcomes: Outcome[] = [];
  yield* together(
    wallets.map(function* (wallet) {
      yield* pause(world, random.between(0, FORWARD_MS));
      if (heldOf(context, wallet, mint) === 0n) return;
      const order = tokenOrder(context, wallet, mint, [{ wallet: seller, share: 1 }]);
      outcomes.push(yield* land(world, order));
    }),
  );
  return outcomes;
}
