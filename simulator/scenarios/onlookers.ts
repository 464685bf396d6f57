import type { Address } from '../../src/model/units.ts';
import { withdraw } from './funding.ts';
import { heldOf, purchaseOrder, saleOrder, TRADE_COST_LAMPORTS } from './orders.ts';
import type { ScenarioContext } from './scenario.ts';
import { pause, type Script, startScript } from './script.ts';
import { land } from './sending.ts';

/** Buyers of a token in addition to the market's own crowd. */
export interface OnlookerPlan {
  readonly count: number;
  /** They arrive uniformly within this time. */
  readonly overMs: number;
  /** Median of their purchases in SOL; log-normal. */
  readonly medianSol: number;
  /** Share of them that sells when the price falls. */
  readonly nervousShare: number;
  /** Share that sells after a while in any case. */
  readonly impatientShare?: number;
}

const LAMPORTS_PER_SOL = 1_000_000_000;
const PRESET_SOL = [0.05, 0.1, 0.25, 0.5, 1] as const;
const SIZE_SIGMA = 0.6;
/** The fall from the highest price since purchase at which nervous holders sell. */
const FEAR = { least: 0.08, most: 0.3 } as const;
const REACTION_MS = { least: 700, most: 7_000 } as const;
const PATIENCE_MS = { least: 20_000, most: 400_000 } as const;
/** Interval at which holders check the price, and for how long they do. */
const LOOK_EVERY_MS = 1_200;
const LOOKS_FOR_MS = 20 * 60_000;

interface Onlooker {
  readonly wallet: Address;
  /** Null for holders who never sell out of fear. */
  readonly fear: number | null;
  highest: number;
  isLeaving: boolean;
}

/**
 * Ordinary buyers for a scenario: funded by exchanges, with individual sizes, some of them selling
 * when the price falls. Labelled organic; they are not part of any scenario.
 */
export class Onlookers {
  readonly wallets: Address[] = [];
  private readonly context: ScenarioContext;
  private readonly mint: Address;
  private readonly holders: Onlooker[] = [];
  private isWatching = false;
  /** Number of successful purchases. */
  purchases = 0;

  constructor(context: ScenarioContext, mint: Address) {
    this.context = context;
    this.mint = mint;
  }

  /** Number of onlookers who still hold their tokens. */
  get holderCount(): number {
    return this.holders.filter(({ isLeaving }) => !isLeaving).length;
  }

  /** Attracts buyers from now on, without waiting for them. */
  attract(plan: OnlookerPlan): void {
    const { random, world } = this.context;
    for (let index = 0; index < plan.count; index++) {
      const delayMs = Math.round(random.between(0, plan.overMs));
      world.after(delayMs, () => startScript(this.visit(plan)));
    }
    if (!this.isWatching) startScript(this.watchPrice());
    this.isWatching = true;
  }

  private *visit(plan: OnlookerPlan): Script {
    const { context, mint } = this;
    const { world, random } = context;
    const wallet = world.keyring.wallet();
    world.truth.labels.addWallet(wallet, {
      automation: 'organic',
      isSmart: false,
      behaviour: 'onlooker',
    });
    const lamports = this.drawSize(plan.medianSol);
    yield* withdraw(context, wallet, lamports + 3n * TRADE_COST_LAMPORTS);
    yield* pause(world, random.within(REACTION_MS));
    const market = world.openMarketOf(mint);
    if (market === null) return;
    const order = purchaseOrder(context, { trader: wallet, market, lamports, priority: 5_000 });
    const outcome = yield* land(world, order);
    if (outcome === null || outcome.isFailed) return;
    this.purchases++;
    this.wallets.push(wallet);
    const fear = random.chance(plan.nervousShare) ? random.within(FEAR) : null;
    const onlooker = { wallet, fear, highest: this.price(), isLeaving: false };
    this.holders.push(onlooker);
    if (!random.chance(plan.impatientShare ?? 0.1)) return;
    yield* pause(world, random.within(PATIENCE_MS));
    yield* this.leave(onlooker, random.chance(0.5) ? 1 : 0.5);
  }

  private *watchPrice(): Script {
    const { world, random } = this.context;
    const endMs = world.nowMs + LOOKS_FOR_MS;
    while (world.nowMs < endMs) {
      yield* pause(world, LOOK_EVERY_MS);
      const price = this.price();
      if (price === 0) continue;
      for (const holder of this.holders) {
        if (price > holder.highest) holder.highest = price;
        if (holder.fear === null || holder.isLeaving) continue;
        if (price > holder.highest * (1 - holder.fear)) continue;
        holder.isLeaving = true;
        const delayMs = random.wholeWithin(REACTION_MS);
        world.after(delayMs, () => startScript(this.sellAll(holder.wallet, 1)));
      }
    }
  }

  /** Frightens all holders: this share of them sells within the time, some only a part. */
  frighten(overMs: number, share: number): void {
    const { random, world } = this.context;
    for (const holder of this.holders) {
      if (holder.isLeaving || !random.chance(share)) continue;
      const delayMs = Math.round(random.between(0, overMs));
      const part = random.chance(0.7) ? 1 : random.between(0.4, 0.9);
      world.after(delayMs, () => startScript(this.leave(holder, part)));
    }
  }

  private *leave(holder: Onlooker, share: number): Script {
    if (holder.isLeaving) return;
    holder.isLeaving = true;
    yield* this.sellAll(holder.wallet, share);
  }

  private *sellAll(wallet: Address, share: number): Script {
    const { context, mint } = this;
    const market = context.world.openMarketOf(mint);
    if (market === null || heldOf(context, wallet, mint) === 0n) return;
    const closes = share >= 1 && context.random.chance(0.6);
    const style = { trader: wallet, market, share, closes, priority: 5_000 };
    yield* land(context.world, saleOrder(context, style));
  }

  private price(): number {
    const { world } = this.context;
    return world.openMarketOf(this.mint)?.spotPrice(world.chain.ledger) ?? 0;
  }

  private drawSize(medianSol: number): bigint {
    const { random } = this.context;
    const sol = random.chance(0.4)
      ? random.pick(PRESET_SOL)
      : Math.min(random.logNormal(medianSol, SIZE_SIGMA), medianSol * 8);
    return BigInt(Math.round(sol * LAMPORTS_PER_SOL));
  }
}
