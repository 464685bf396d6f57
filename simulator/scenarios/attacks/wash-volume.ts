import type { Address } from '../../../src/model/units.ts';
import { buySteps, sellSteps } from '../../market/trade-steps.ts';
import type { Market } from '../../venues/market.ts';
import { paymentFor } from '../amounts.ts';
import { payOrdinaryCreator, stageAudience } from '../audience.ts';
import { Crew } from '../crew.ts';
import { CREW_PRIORITY, spendable } from '../crew-purchases.ts';
import { fundCrew, withdraw } from '../funding.ts';
import type { AttackKnobs } from '../knobs.ts';
import {
  drawTip,
  heldOf,
  type Purchase,
  purchaseOrder,
  saleOrder,
  TRADE_COST_LAMPORTS,
  varied,
} from '../orders.ts';
import { sweep } from '../proceeds.ts';
import type { ScenarioContext } from '../scenario.ts';
import { pause, type Script, together } from '../script.ts';
import {
  firstSlotOf,
  land,
  landBundle,
  lastSlotOf,
  type Outcome,
  type PlainOrder,
} from '../sending.ts';
import { LAUNCH_COST_LAMPORTS, openMarket, planScenarioLaunch } from '../staged-token.ts';

/** Size of the position that is passed on. */
const POSITION_LAMPORTS = { least: 300_000_000, most: 900_000_000 } as const;
/** Time between two passes: wallets hold for much less than five minutes. */
const PASS_GAP_MS = { least: 1_000, most: 9_000 } as const;
/** Time between purchase and sale of one pass, if they are not in one bundle. */
const HAND_OVER_MS = { least: 300, most: 6_000 } as const;
const POSITIONS_MAX = 2;
/** Net cost of a pass in per cent: fees of both sides, slippage, tips. */
const PASS_COST_PERCENT = 5n;
const PASS_COST_LAMPORTS = 8_000_000n;
/** Probability, with several signers, that one wallet buys and sells in one transaction. */
const ROUND_TRIP_CHANCE = 0.4;

/**
 * METHODS §7.8: a position circulates among the crew's wallets with no result but volume.
 * Wallets of one owner trade a token among themselves repeatedly and pay the fees.
 */
export function* washVolume(context: ScenarioContext, knobs: AttackKnobs): Script {
  const { random } = context;
  const crew = new Crew(context, 'wash_volume', knobs);
  const controller = knobs.hubShare < 1 ? crew.open('attacker') : null;
  const wallets = crew.recruit(Math.max(2, knobs.wallets), 'unknown');
  const isOwnToken = controller !== null && random.chance(0.5);
  const lamports = BigInt(random.wholeWithin(POSITION_LAMPORTS));
  const creator = isOwnToken ? controller : yield* payOrdinaryCreator(context);
  const plan = planScenarioLaunch(context, creator);
  yield* fund(crew, controller, wallets, lamports, plan.mint);
  const staged = yield* stageAudience(context, {
    plan,
    quality: random.between(0.05, 0.3),
    onlookers: { count: 10 + random.below(8), overMs: 90_000, medianSol: 0.2, nervousShare: 0.2 },
    purchases: 7,
  });
  if (staged === null) return;
  const ring = new WashRing(crew, plan.mint, wallets, lamports, controller);
  const passes = Math.ceil(knobs.washTrades / 2);
  yield* ring.turn(passes);
  yield* sweep(crew, wallets, controller ?? undefined);
}

function* fund(
  crew: Crew,
  controller: Address | null,
  wallets: readonly Address[],
  lamports: bigint,
  mint: Address,
): Script {
  const { context, knobs } = crew;
  const passesEach = BigInt(Math.ceil((knobs.washTrades * 0.75) / wallets.length));
  const passCost = (lamports * PASS_COST_PERCENT) / 100n + PASS_COST_LAMPORTS;
  const each = (lamports * 17n) / 10n + passesEach * passCost + 3n * TRADE_COST_LAMPORTS;
  if (controller !== null) {
    const total = each * BigInt(wallets.length) * 2n + 4n * LAUNCH_COST_LAMPORTS;
    yield* withdraw(context, controller, total);
    crew.noteFunding(context.world.slot);
    yield* pause(context.world, knobs.hopDelayMs);
  }
  const payments = wallets.map((wallet) => ({ wallet, lamports: each }));
  yield* fundCrew(crew, payments, mint, controller);
}

/** Wallets that pass positions around, without profit or remaining holdings. */
class WashRing {
  private readonly crew: Crew;
  private readonly mint: Address;
  private readonly wallets: readonly Address[];
  private readonly lamports: bigint;
  /** Pays the fees of all trades if nothing is hidden. */
  private readonly feePayer: Address | null;
  private readonly busy = new Set<Address>();
  private readonly outcomes: Outcome[] = [];
  private hasBegun = false;

  constructor(
    crew: Crew,
    mint: Address,
    wallets: readonly Address[],
    lamports: bigint,
    controller: Address | null,
  ) {
    this.crew = crew;
    this.mint = mint;
    this.wallets = wallets;
    this.lamports = lamports;
    this.feePayer = crew.knobs.fundingHops === 0 ? controller : null;
  }

  /** Performs `passes` passes, with one or two positions at a time; then sells everything. */
  *turn(passes: number): Script {
    const positions = this.wallets.length >= 4 ? POSITIONS_MAX : 1;
    const each = Math.ceil(passes / positions);
    yield* together(Array.from({ length: positions }, () => this.carry(each)));
    const endSlot = lastSlotOf(this.outcomes);
    if (endSlot !== null) this.crew.end(endSlot);
  }

  private *carry(passes: number): Script {
    const { world, random } = this.crew.context;
    const opener = this.pickBuyer(this.lamports);
    if (opener === null) return;
    let holder: Address = opener;
    const first = yield* openMarket(this.crew.context, this.mint);
    if (first === null) return;
    this.note(yield* land(world, this.buy(this.purchase(first, holder, this.lamports))));
    for (let left = passes; left > 0; left--) {
      yield* pause(world, random.within(PASS_GAP_MS));
      const market = yield* openMarket(this.crew.context, this.mint);
      if (market === null) break;
      const next: Address | null = yield* this.pass(market, holder);
      if (next === null) break;
      holder = next;
    }
    yield* this.sellOut(holder);
    this.busy.delete(holder);
  }

  /** Returns the next holder, or null if no wallet can pay. */
  private *pass(market: Market, holder: Address): Script<Address | null> {
    const { context, knobs } = this.crew;
    const { world, random } = context;
    const heldRaw = heldOf(context, holder, this.mint);
    const cost = paymentFor(world.chain.ledger, market, heldRaw);
    if (cost === null || heldRaw === 0n) return null;
    const next = this.pickBuyer(cost);
    if (next === null) return null;
    if (knobs.tipStyle === 'multi_signer' && random.chance(ROUND_TRIP_CHANCE)) {
      this.note(yield* land(world, this.roundTrip(market, next, cost)));
      this.busy.delete(next);
      return holder;
    }
    const outcomes = yield* this.handOver(market, holder, this.purchase(market, next, cost));
    for (const outcome of outcomes) this.note(outcome);
    this.busy.delete(holder);
    return next;
  }

  /** The new holder buys what the old one sells. */
  private *handOver(
    market: Market,
    holder: Address,
    purchase: Purchase,
  ): Script<readonly Outcome[]> {
    const { context, knobs } = this.crew;
    const { world, random } = context;
    const tipLamports = knobs.tipStyle === 'none' ? 0n : drawTip(random);
    const sale = { ...this.style(market, holder), share: 1 };
    switch (knobs.tipStyle) {
      case 'shared':
        return yield* landBundle(world, [
          this.buy(purchase),
          saleOrder(context, { ...sale, tipLamports }),
        ]);
      case 'multi_signer':
        return [yield* land(world, this.joint(market, holder, purchase))];
      default: {
        const bought = yield* land(world, this.buy({ ...purchase, tipLamports }));
        yield* pause(world, random.within(HAND_OVER_MS));
        return [bought, yield* land(world, saleOrder(context, { ...sale, tipLamports }))];
      }
    }
  }

  private *sellOut(holder: Address): Script {
    const { context } = this.crew;
    const market = yield* openMarket(context, this.mint);
    if (market === null || heldOf(context, holder, this.mint) === 0n) return;
    const sale = { ...this.style(market, holder), share: 1, closes: true };
    this.note(yield* land(context.world, saleOrder(context, sale)));
  }

  private buy(purchase: Purchase): PlainOrder {
    return purchaseOrder(this.crew.context, purchase);
  }

  private purchase(market: Market, trader: Address, lamports: bigint): Purchase {
    const { knobs, context } = this.crew;
    const isFirst = lamports === this.lamports;
    const amount = isFirst ? varied(context.random, lamports, knobs.sizeJitter) : lamports;
    return { ...this.style(market, trader), lamports: amount };
  }

  private style(market: Market, trader: Address) {
    const { feePayer } = this;
    const payer = feePayer === null ? {} : { feePayer };
    return { market, trader, priority: CREW_PRIORITY, ...payer };
  }

  /** Both sides in one transaction, signed by both. */
  private joint(market: Market, seller: Address, purchase: Purchase): PlainOrder {
    const { tokenAccounts } = this.crew.context.world;
    const { trader: buyer, lamports } = purchase;
    return {
      feePayer: buyer,
      signers: [seller],
      version: 0,
      computeBudget: { unitLimit: 400_000, priceMicroLamports: 80_000n },
      priority: CREW_PRIORITY,
      build(execution) {
        const source = tokenAccounts.of(seller, market.baseMint);
        const amountInRaw = execution.ledger.heldRaw(source);
        const bought = { market, trader: buyer, amountInRaw: lamports, minOutRaw: 1n };
        buySteps(execution, tokenAccounts, bought);
        sellSteps(execution, tokenAccounts, { market, trader: seller, amountInRaw, minOutRaw: 1n });
      },
    };
  }

  /** One wallet buys and sells the same amount in one transaction. */
  private roundTrip(market: Market, trader: Address, lamports: bigint): PlainOrder {
    const { tokenAccounts } = this.crew.context.world;
    const account = tokenAccounts.of(trader, market.baseMint);
    return {
      feePayer: trader,
      computeBudget: { unitLimit: 400_000, priceMicroLamports: 80_000n },
      priority: CREW_PRIORITY,
      build(execution) {
        const steps = { market, trader, minOutRaw: 1n };
        const heldRaw = (): bigint => execution.ledger.heldRaw(account);
        const before = heldRaw();
        buySteps(execution, tokenAccounts, { ...steps, amountInRaw: lamports });
        sellSteps(execution, tokenAccounts, { ...steps, amountInRaw: heldRaw() - before });
      },
    };
  }

  /** Picks a wallet of the ring that holds nothing and can pay, and marks it as busy. */
  private pickBuyer(lamports: bigint): Address | null {
    const { crew, busy } = this;
    const free = this.wallets.filter(
      (wallet) => !busy.has(wallet) && spendable(crew, wallet) >= lamports,
    );
    if (free.length === 0) return null;
    const wallet = crew.context.random.pick(free);
    busy.add(wallet);
    return wallet;
  }

  private note(outcome: Outcome): void {
    this.outcomes.push(outcome);
    const slot = firstSlotOf([outcome]);
    if (slot === null || this.hasBegun) return;
    this.hasBegun = true;
    this.crew.begin(this.mint, slot);
  }
}
