import type { Address } from '../../src/model/units.ts';
import type { MarketFact } from '../chain/market-fact.ts';
import type { SeenTransaction, World } from '../market/world.ts';
import type { Random } from '../random.ts';
import type { Behaviour } from '../simulation-config.ts';
import { Attention } from './attention.ts';
import { shapeOf } from './attention-shape.ts';
import type { BehaviourContext } from './behaviour.ts';
import { CROWD_HABIT } from './crowd-member.ts';
import type { Exchanges } from './exchanges.ts';
import { type ExitHabit, hold } from './holding.ts';
import { OrderService } from './order-service.ts';
import { BEHAVIOUR_KINDS } from './registry.ts';
import { type AttractiveToken, type Interest, TokenInterest } from './token-interest.ts';
import { PLAIN } from './trade-order.ts';
import { Funding } from './wallets.ts';

/** A token nobody has traded for so long is forgotten. */
const FORGOTTEN_AFTER_MS = 15 * 60_000;
const LOOK_EVERY_MS = 60_000;
/** In a panic, sellers act within this time on average, and buyers stay away for it. */
const PANIC_MS = 30_000;

/** Creators leave sooner than those who came because of them, and think less of it. */
const CREATOR_HABIT: ExitHabit = {
  ...CROWD_HABIT,
  holdMedianMs: 4 * 60_000,
  holdSpread: 1.2,
  takeProfit: [1.3, 3],
  isCrowd: false,
};

/** Everybody who trades: people are drawn to tokens, and programs see what they do. */
export class Crowd {
  /** What programs and posts listen to. */
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
   * Brings everybody into the market. Before the first slot: they bring lamports along. With a
   * weight, a whole number, each of the crowd stands for so many: fewer come, with more money.
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
    const place = { world, attention, orders, funding, crowdWeight: BigInt(weight) };
    this.creators = { ...place, random: this.random.fork('creators') };
    for (const kind of Object.values(BEHAVIOUR_KINDS)) {
      const random = this.random.fork(kind.name);
      kind.settle({ ...place, random }, this.people[kind.name]);
    }
  }

  /** Tokens people think of now. */
  get tokensAlive(): number {
    return this.interests.size;
  }

  /**
   * Draws people to a token from a time on, and shows it to everybody who watches for new ones.
   * Pools the world knows of it now are watched; others by `TokenInterest.follow`.
   */
  attract(token: AttractiveToken, interest: Interest): TokenInterest {
    const known = this.interests.get(token.mint);
    const { burst, tail, excitement } = shapeOf(interest.quality);
    const drawn =
      known ??
      new TokenInterest(this.world, token, interest, excitement, {
        arrive: (who) => this.arrive(who),
        report: (who, fact, seen) => this.see(who, fact, seen),
      });
    this.world.at(interest.startMs, () => {
      for (const { count, fadeMs } of [burst, tail]) {
        drawn.addArrivals({ count: count / this.weight, fadeMs });
      }
    });
    if (known !== undefined) return known;
    this.interests.set(token.mint, drawn);
    for (const { pool } of this.world.marketsOf(token.mint)) drawn.follow(pool);
    this.world.at(interest.startMs + LOOK_EVERY_MS, () => this.look(drawn));
    this.attention.readToken(drawn);
    return drawn;
  }

  /** Lets somebody who created a token, and bought some with it, think of leaving. */
  keepAsCreator(address: Address, interest: TokenInterest): void {
    const person = { address, behaviour: 'casual', plumbing: PLAIN } as const;
    hold(this.creators, person, interest, CREATOR_HABIT);
  }

  interestIn(mint: Address): TokenInterest | null {
    return this.interests.get(mint) ?? null;
  }

  /**
   * Bad news for everything: this share of all holders sells at once, and as large a share of those
   * who would buy stays away for a while.
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

  /** Somebody comes: a kind by its number, who asks one of its people to buy. */
  private arrive(interest: TokenInterest): void {
    const { buyers } = this.attention;
    if (this.world.nowMs < this.calmAtMs && this.random.chance(this.caution)) return;
    const total = buyers.reduce((sum, { weight }) => sum + weight, 0);
    let place = this.random.below(total);
    for (const { weight, come } of buyers) {
      if (place < weight) {
        come(interest);
        return;
      }
      place -= weight;
    }
  }

  private see(interest: TokenInterest, fact: MarketFact, seen: SeenTransaction): void {
    if (fact.kind === 'migrate') this.attention.tellMigrated(interest);
    if (fact.kind !== 'trade') return;
    interest.lastTradeMs = this.world.nowMs;
    interest.checkPrice();
    const { trader } = fact;
    if (trader === null) return;
    this.attention.tellTrade(interest, { ...fact, trader }, seen);
    if (fact.side === 'buy' && !isRoundTrip(fact.baseMint, seen)) interest.excite();
  }

  private look(interest: TokenInterest): void {
    if (this.world.nowMs - interest.lastTradeMs < FORGOTTEN_AFTER_MS) {
      this.world.after(LOOK_EVERY_MS, () => this.look(interest));
      return;
    }
    interest.end();
    this.interests.delete(interest.mint);
  }
}

/** Who sells in the same transaction what was bought draws nobody. */
function isRoundTrip(mint: Address, { transaction }: SeenTransaction): boolean {
  return transaction.facts.some(
    (fact) => fact.kind === 'trade' && fact.side === 'sell' && fact.baseMint === mint,
  );
}
