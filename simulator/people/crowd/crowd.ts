import type { Address } from '../../../src/model/units.ts';
import type { MarketFact } from '../../chain/market-fact.ts';
import type { SeenTransaction, World } from '../../market/world.ts';
import type { Random } from '../../random/random.ts';
import { Attention } from '../attention.ts';
import { shapeOf } from '../attention-shape.ts';
import type { BehaviourContext } from '../behaviour.ts';
import type { Behaviour } from '../behaviour-names.ts';
import { BUYER_STRATEGY } from '../crowd-member.ts';
import type { Exchanges } from '../exchanges.ts';
import { type ExitStrategy, hold } from '../holding.ts';
import { OrderService } from '../order-service.ts';
import { type AttractiveToken, type Interest, TokenInterest } from '../token-interest.ts';
import { PLAIN_CLIENT } from '../trade-order.ts';
import { Funding } from '../wallets.ts';
import { BEHAVIOUR_KINDS } from './registry.ts';

/** A token without trades for this time is forgotten. */
const FORGOTTEN_AFTER_MS = 15 * 60_000;
const CHECK_EVERY_MS = 60_000;
/** Mean delay of sellers in a panic, and the time for which buyers stay away. */
const PANIC_MS = 30_000;

/** Creators sell sooner than the people they attract, and believe less in the token. */
const CREATOR_STRATEGY: ExitStrategy = {
  ...BUYER_STRATEGY,
  holdMedianMs: 4 * 60_000,
  holdSpread: 1.2,
  takeProfit: [1.3, 3],
};

/** All traders: people are attracted to tokens, and programs react to their trades. */
export class Crowd {
  /** Events for programs and posts. */
  readonly attention = new Attention();
  readonly funding: Funding;
  private readonly world: World;
  private readonly random: Random;
  private readonly interests = new Map<Address, TokenInterest>();
  private readonly people: Readonly<Record<Behaviour, number>>;
  private readonly weight: number;
  private readonly creators: BehaviourContext;
  private calmAtMs = 0;
  private caution = 0;

  /**
   * Adds all traders to the market. To be called before the first slot, because they start with
   * lamports. With an integer weight, each member of the crowd represents that many: fewer arrive,
   * with more money.
   */
  constructor(
    world: World,
    exchanges: Exchanges,
    people: Readonly<Record<Behaviour, number>>,
    weight = 1,
  ) {
    this.world = world;
    this.people = people;
    this.weight = weight;
    this.random = world.random.fork('people');
    this.funding = new Funding(world, exchanges);
    const orders = new OrderService(world, this.attention);
    const { attention, funding } = this;
    const shared = { world, attention, orders, funding, crowdWeight: BigInt(weight) };
    this.creators = { ...shared, random: this.random.fork('creators') };
    for (const kind of Object.values(BEHAVIOUR_KINDS)) {
      const random = this.random.fork(kind.name);
      kind.settle({ ...shared, random }, this.people[kind.name]);
    }
  }

  /** Number of tokens that currently attract attention. */
  get tokensAlive(): number {
    return this.interests.size;
  }

  /**
   * Attracts people to a token from a time on, and announces it to all who watch for new tokens.
   * Pools the world currently knows of it are watched; others by `TokenInterest.follow`.
   */
  attract(token: AttractiveToken, interest: Interest): TokenInterest {
    const known = this.interests.get(token.mint);
    const { burst, tail, excitement } = shapeOf(interest.quality);
    const drawn =
      known ??
      new TokenInterest(this.world, token, interest, excitement, {
        arrive: (arrived) => this.arrive(arrived),
        report: (reported, fact, seen) => this.see(reported, fact, seen),
      });
    this.world.at(interest.startMs, () => {
      for (const { count, fadeMs } of [burst, tail]) {
        drawn.addArrivals({ count: count / this.weight, fadeMs });
      }
    });
    if (known !== undefined) return known;
    this.interests.set(token.mint, drawn);
    for (const { pool } of this.world.marketsOf(token.mint)) drawn.follow(pool);
    this.world.at(interest.startMs + CHECK_EVERY_MS, () => this.checkActivity(drawn));
    this.attention.readToken(drawn);
    return drawn;
  }

  /** Lets the creator of a token, who bought some of it, decide when to sell. */
  keepAsCreator(address: Address, interest: TokenInterest): void {
    const person = { address, behaviour: 'casual', client: PLAIN_CLIENT } as const;
    hold(this.creators, person, interest, CREATOR_STRATEGY);
  }

  interestIn(mint: Address): TokenInterest | null {
    return this.interests.get(mint) ?? null;
  }

  /**
   * Bad news for the whole market: this share of all holders sells at once, and an equal share of
   * prospective buyers stays away for a while.
   */
  panic(share: number): void {
    const { world, random } = this;
    this.calmAtMs = world.nowMs + PANIC_MS;
    this.caution = share;
    for (const interest of this.interests.values()) {
      for (const holder of interest.holders.values()) {
        if (!random.chance(share)) continue;
        world.after(Math.round(random.exponential(PANIC_MS)), () => holder.leave(1));
      }
    }
  }

  /** Handles an arrival: draws a kind by weight, which lets one of its people buy. */
  private arrive(interest: TokenInterest): void {
    const { buyers } = this.attention;
    if (this.world.nowMs < this.calmAtMs && this.random.chance(this.caution)) return;
    const total = buyers.reduce((sum, { weight }) => sum + weight, 0);
    let draw = this.random.below(total);
    for (const { weight, come } of buyers) {
      if (draw < weight) {
        come(interest);
        return;
      }
      draw -= weight;
    }
  }

  private see(interest: TokenInterest, fact: MarketFact, seen: SeenTransaction): void {
    if (fact.kind === 'migrate') this.attention.publishMigration(interest);
    if (fact.kind !== 'trade') return;
    interest.lastTradeMs = this.world.nowMs;
    interest.checkPrice();
    const { trader } = fact;
    if (trader === null) return;
    this.attention.publishTrade(interest, { ...fact, trader }, seen);
    if (fact.side === 'buy' && !isRoundTrip(fact.baseMint, seen)) interest.excite();
  }

  private checkActivity(interest: TokenInterest): void {
    if (this.world.nowMs - interest.lastTradeMs < FORGOTTEN_AFTER_MS) {
      this.world.after(CHECK_EVERY_MS, () => this.checkActivity(interest));
      return;
    }
    interest.end();
    this.interests.delete(interest.mint);
  }
}

/** A purchase that is sold in the same transaction attracts no buyers. */
function isRoundTrip(mint: Address, { transaction }: SeenTransaction): boolean {
  return transaction.facts.some(
    (fact) => fact.kind === 'trade' && fact.side === 'sell' && fact.baseMint === mint,
  );
}
