import type { Address } from '../../src/model/units.ts';
import type { MarketFact } from '../chain/market-fact.ts';
import type { SentOrder } from '../market/order.ts';
import { Timeline } from '../market/timeline.ts';
import type { PoolWatcher, SeenTransaction, World } from '../market/world.ts';
import type { Random } from '../random/random.ts';
import { type Market, pricingReserves } from '../venues/market.ts';
import { type Excitement, echoDelaysMs, type FadingArrivals, nextArrivalMs } from './hawkes.ts';

/** The factors that attract people to a token. */
export interface Interest {
  /** 0 for a token nobody wants, 1 for the hit of the year. */
  readonly quality: number;
  /** Milliseconds since 1970. */
  readonly startMs: number;
}

/** A token that can attract people: a launched one, or one that has a pool. */
export interface AttractiveToken {
  readonly mint: Address;
  /** The creation of a launch that has been sent: fast traders place orders directly after it. */
  readonly order?: SentOrder;
}

/** A holder of a token who may sell it. */
export interface Holder {
  readonly address: Address;
  /** Prices, raw quote per raw base, at which it acts; null if there is none or it has acted. */
  readonly profitPrice: number | null;
  readonly lossPrice: number | null;
  /** Called when its price is reached. */
  readonly takeProfit: () => void;
  readonly stopLoss: () => void;
  /** Sells a share of the holding, within (0, 1], immediately. */
  readonly leave: (share: number) => void;
}

/** Callbacks for the events of a token's interest. */
export interface InterestListener {
  /** A prospective buyer arrives. */
  readonly arrive: (interest: TokenInterest) => void;
  /** One of its pools reports a fact. */
  readonly report: (interest: TokenInterest, fact: MarketFact, seen: SeenTransaction) => void;
}

/** Maximum number of arrivals for one token. */
const ARRIVALS_MAX = 50_000;
/**
 * Entries of former holders that the price heaps may contain, in addition to as many as there are
 * holders.
 */
const HEAP_SLACK = 64;
/** Share of trades in the deepest market; the rest use another pool. */
const DEEPEST_SHARE = 0.75;

/** The interest in one token: arrivals, holders, and the prices at which they sell. */
export class TokenInterest {
  readonly mint: Address;
  readonly creation: SentOrder | null;
  readonly quality: number;
  readonly startMs: number;
  readonly holders = new Map<Address, Holder>();
  lastTradeMs: number;
  /** The token is no longer traded. */
  isOver = false;
  private readonly world: World;
  private readonly random: Random;
  private readonly excitement: Excitement;
  private readonly listener: InterestListener;
  /** Heaps by price instead of time: sales above, and sales below with negated prices. */
  private above = new Timeline();
  private below = new Timeline();
  private readonly followed: Address[] = [];
  private readonly watcher: PoolWatcher = (fact, seen) => this.listener.report(this, fact, seen);
  private arrivals = 0;

  constructor(
    world: World,
    token: AttractiveToken,
    interest: Interest,
    excitement: Excitement,
    listener: InterestListener,
  ) {
    this.world = world;
    this.mint = token.mint;
    this.creation = token.order ?? null;
    this.quality = interest.quality;
    this.startMs = interest.startMs;
    this.lastTradeMs = interest.startMs;
    this.excitement = excitement;
    this.listener = listener;
    this.random = world.random.fork(`interest/${token.mint}`);
  }

  /** Listens to the facts that a pool of the token reports. */
  follow(pool: Address): void {
    this.followed.push(pool);
    this.world.watch(pool, this.watcher);
  }

  /** Ends all arrivals, sales and notifications. */
  end(): void {
    this.isOver = true;
    this.holders.clear();
    this.rebuildHeaps();
    for (const pool of this.followed) this.world.unwatch(pool, this.watcher);
  }

  /** Pools that accept trades, the deepest first. */
  openMarkets(): Market[] {
    const { ledger } = this.world.chain;
    const open = this.world.marketsOf(this.mint).filter((market) => market.isOpen(ledger));
    if (open.length < 2) return open;
    const depth = new Map(open.map((market) => [market, pricingReserves(market, ledger).quoteRaw]));
    const depthOf = (market: Market): bigint => depth.get(market) ?? 0n;
    return open.toSorted((one, other) => Number(depthOf(other) - depthOf(one)));
  }

  /** The oldest pool, which may not exist on chain yet. */
  firstMarket(): Market | null {
    return this.world.marketsOf(this.mint)[0] ?? null;
  }

  /** Picks a pool to trade in: mostly the deepest. Null while none is open. */
  pickMarket(random: Random): Market | null {
    const markets = this.openMarkets();
    const [deepest] = markets;
    if (deepest === undefined) return null;
    return markets.length === 1 || random.chance(DEEPEST_SHARE) ? deepest : random.pick(markets);
  }

  /** Raw quote per raw base of the deepest pool; 0 while none is open. */
  price(): number {
    return this.openMarkets()[0]?.spotPrice(this.world.chain.ledger) ?? 0;
  }

  /** Adds spontaneous arrivals from now on, in addition to existing ones. */
  addArrivals(rate: FadingArrivals): void {
    this.scheduleNext(rate, this.world.nowMs, 0);
  }

  private scheduleNext(rate: FadingArrivals, beganMs: number, sinceMs: number): void {
    const nextMs = nextArrivalMs(this.random, rate, sinceMs);
    if (nextMs === null) return;
    this.world.at(Math.round(beganMs + nextMs), () => {
      if (this.isOver) return;
      this.admit();
      this.scheduleNext(rate, beganMs, nextMs);
    });
  }

  /** Handles a visible purchase, which excites further arrivals. */
  excite(): void {
    if (this.isOver) return;
    for (const delayMs of echoDelaysMs(this.random, this.excitement)) {
      this.world.after(Math.round(delayMs), () => this.admit());
    }
  }

  private admit(): void {
    if (this.isOver || this.arrivals >= ARRIVALS_MAX) return;
    this.arrivals++;
    this.listener.arrive(this);
  }

  /** Adds a holder, whose prices are watched from now on. */
  addHolder(holder: Holder): void {
    this.holders.set(holder.address, holder);
    // Removed holders remain in the heaps until they are rebuilt.
    if (this.above.size > 2 * this.holders.size + HEAP_SLACK) this.rebuildHeaps();
    else this.watchPrices(holder);
  }

  private rebuildHeaps(): void {
    this.above = new Timeline();
    this.below = new Timeline();
    for (const holder of this.holders.values()) this.watchPrices(holder);
  }

  private watchPrices(holder: Holder): void {
    const { profitPrice, lossPrice } = holder;
    const act = (action: () => void) => (): void => {
      if (this.holders.get(holder.address) === holder) action();
    };
    if (profitPrice !== null) this.above.add(profitPrice, act(holder.takeProfit));
    if (lossPrice !== null) this.below.add(-lossPrice, act(holder.stopLoss));
  }

  /** Lets the holders act whose prices were reached. */
  checkPrice(): void {
    const price = this.price();
    if (price === 0) return;
    actBefore(this.above, price);
    actBefore(this.below, -price);
  }
}

function actBefore(heap: Timeline, limit: number): void {
  for (let next = heap.takeBefore(limit); next !== null; next = heap.takeBefore(limit)) {
    next.action();
  }
}
