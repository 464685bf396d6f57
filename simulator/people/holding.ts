import type { Address } from '../../src/model/units.ts';
import type { Placement } from '../market/order.ts';
import type { Random } from '../random/random.ts';
import { type BehaviourContext, SPARE_LAMPORTS } from './behaviour.ts';
import type { Holder, TokenInterest } from './token-interest.ts';
import type { TipPayment } from './trade-order.ts';
import { lamportsOf, lesser, type Person } from './wallets.ts';

type Range = readonly [least: number, most: number];

/** When and how a holder sells. Prices are multiples of the purchase price. */
export interface ExitStrategy {
  readonly holdMedianMs: number;
  /** Spread of the logarithm of the holding time. */
  readonly holdSpread: number;
  readonly takeProfit: Range;
  readonly stopLoss: Range;
  /** Mean delay between seeing a price and acting. */
  readonly reactionMs: number;
  /** Median and spread of the logarithm; the maximum is `SLIPPAGE_MOST`. */
  readonly slippage: { readonly median: number; readonly spread: number };
  /** Mean delay between the displayed price and the order. */
  readonly latencyMs: number;
  /** Probability of taking profit on half and keeping the rest. */
  readonly halfShare: number;
  /** Holds good tokens for longer than bad ones. */
  readonly isCrowd?: true;
}

/** A purchase and its sale. */
export interface Entry {
  readonly person: Person;
  readonly interest: TokenInterest;
  readonly lamports: bigint;
  readonly strategy: ExitStrategy;
  readonly slippage?: number;
  readonly tip?: TipPayment | null;
  readonly priority?: number;
  readonly placement?: Placement;
  readonly isExposed?: boolean;
}

/** Number of attempts for a sale, with increasing slippage. */
const SALE_TRIES = 3;
const PATIENCE = { least: 0.4, growth: 2.5 } as const;
const RETRY_MS = 3_000;
const HALF = 0.5;
const SLIPPAGE_MOST = 0.5;

/**
 * Buys at the picked pool, as far as the lamports suffice, and sells by strategy. For an order
 * directly after a creation the pool is the one it creates. Returns false if the purchase is
 * impossible.
 */
export function buyAndHold(context: BehaviourContext, entry: Entry): boolean {
  const { world, random, orders } = context;
  const { person, interest, strategy } = entry;
  const isBlind = entry.placement?.behind !== undefined;
  const market = interest.pickMarket(random) ?? (isBlind ? interest.firstMarket() : null);
  const spare = lamportsOf(world, person) - SPARE_LAMPORTS;
  const lamports = lesser(entry.lamports, spare);
  if (market === null || lamports <= 0n) return false;
  return orders.buy({
    ...entry,
    lamports,
    market,
    slippage: entry.slippage ?? slippageOf(random, strategy),
    delayMs: latencyOf(random, strategy),
    onDone: () => hold(context, person, interest, strategy),
  });
}

/** Starts to hold the purchased tokens: from now on the strategy decides. */
export function hold(
  context: BehaviourContext,
  person: Person,
  interest: TokenInterest,
  strategy: ExitStrategy,
): void {
  const price = interest.price();
  if (interest.isOver || price === 0 || interest.holders.has(person.address)) return;
  const { world, random } = context;
  const position = new Position(context, person, interest, strategy, price);
  interest.addHolder(position);
  const patience = strategy.isCrowd === true ? patienceFor(interest) : 1;
  const holdMs = random.logNormal(strategy.holdMedianMs * patience, strategy.holdSpread);
  world.after(Math.round(holdMs), () => position.leave(1));
}

/** Holders are more patient with tokens of higher quality. */
function patienceFor({ quality }: TokenInterest): number {
  return PATIENCE.least + PATIENCE.growth * quality * quality;
}

class Position implements Holder {
  profitPrice: number | null;
  lossPrice: number | null;
  private readonly context: BehaviourContext;
  private readonly person: Person;
  private readonly interest: TokenInterest;
  private readonly strategy: ExitStrategy;
  private isLeaving = false;
  private isGone = false;

  constructor(
    context: BehaviourContext,
    person: Person,
    interest: TokenInterest,
    strategy: ExitStrategy,
    paidPrice: number,
  ) {
    const { random } = context;
    this.profitPrice = paidPrice * random.between(...strategy.takeProfit);
    this.lossPrice = paidPrice * random.between(...strategy.stopLoss);
    this.context = context;
    this.person = person;
    this.interest = interest;
    this.strategy = strategy;
  }

  get address(): Address {
    return this.person.address;
  }

  readonly takeProfit = (): void => {
    this.profitPrice = null;
    const { random } = this.context;
    this.leaveSoon(random.chance(this.strategy.halfShare) ? HALF : 1);
  };

  readonly stopLoss = (): void => {
    this.lossPrice = null;
    this.leaveSoon(1);
  };

  private leaveSoon(share: number): void {
    const { world, random } = this.context;
    const delayMs = Math.round(random.exponential(this.strategy.reactionMs));
    world.after(delayMs, () => this.leave(share));
  }

  leave(share: number): void {
    if (this.isLeaving || this.isGone || this.interest.isOver) return;
    this.sell(share, slippageOf(this.context.random, this.strategy), SALE_TRIES);
  }

  private sell(share: number, slippage: number, tries: number): void {
    const { context, person, interest } = this;
    const market = interest.pickMarket(context.random);
    this.isLeaving = false;
    if (market === null || tries === 0 || this.interest.isOver) return;
    const again = (): void => {
      const wider = slippage + (1 - slippage) / 2;
      context.world.after(RETRY_MS, () => this.sell(share, wider, tries - 1));
    };
    this.isLeaving = context.orders.sell({
      person,
      interest,
      market,
      share,
      slippage,
      delayMs: latencyOf(context.random, this.strategy),
      onDone: () => this.sold(share),
      onFailed: again,
    });
    if (!this.isLeaving) this.sold(1);
  }

  private sold(share: number): void {
    this.isLeaving = false;
    if (share < 1) return;
    this.isGone = true;
    this.interest.holders.delete(this.person.address);
  }
}

function slippageOf(random: Random, { slippage }: ExitStrategy): number {
  return Math.min(SLIPPAGE_MOST, random.logNormal(slippage.median, slippage.spread));
}

function latencyOf(random: Random, { latencyMs }: ExitStrategy): number {
  return latencyMs === 0 ? 0 : Math.round(random.exponential(latencyMs));
}
