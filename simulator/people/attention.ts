import type { Address } from '../../src/model/units.ts';
import type { MarketFact } from '../chain/market-fact.ts';
import type { Order } from '../market/order.ts';
import type { SeenTransaction } from '../market/world.ts';
import type { TokenInterest } from './token-interest.ts';
import type { Trade } from './trade-order.ts';
import type { Person } from './wallets.ts';

/** A trade that somebody made. */
export type TradeFact = MarketFact & { readonly kind: 'trade'; readonly trader: Address };

/** A purchase that is signed and not sent yet, as those see it whom its way leads past. */
export interface PendingTrade {
  readonly interest: TokenInterest;
  readonly trade: Trade;
  readonly order: Order;
}

/** A kind of people among whom those are drawn who come to a token. */
export interface Buyers {
  /** About as many as there are of them. */
  readonly weight: number;
  readonly come: (interest: TokenInterest) => void;
}

/** What everybody can see and say. Those who watch are told in the order in which they asked. */
export class Attention {
  readonly buyers: Buyers[] = [];
  private readonly ofTokens: ((interest: TokenInterest) => void)[] = [];
  private readonly ofTrades: ((
    interest: TokenInterest,
    trade: TradeFact,
    seen: SeenTransaction,
  ) => void)[] = [];
  private readonly ofPools: ((interest: TokenInterest) => void)[] = [];
  private readonly ofPending: ((pending: PendingTrade) => boolean)[] = [];
  private readonly ofCalls: ((interest: TokenInterest, caller: Person) => void)[] = [];

  /** Of each token people begin to talk about; a launch may not stand in a block yet. */
  onToken(watch: (interest: TokenInterest) => void): void {
    this.ofTokens.push(watch);
  }

  readToken(interest: TokenInterest): void {
    for (const watch of this.ofTokens) watch(interest);
  }

  /** Of each trade of such a token, once its block stands. */
  onTrade(watch: (interest: TokenInterest, trade: TradeFact, seen: SeenTransaction) => void): void {
    this.ofTrades.push(watch);
  }

  tellTrade(interest: TokenInterest, trade: TradeFact, seen: SeenTransaction): void {
    for (const watch of this.ofTrades) watch(interest, trade, seen);
  }

  /** Of a token that has left its curve for a pool. */
  onMigrated(watch: (interest: TokenInterest) => void): void {
    this.ofPools.push(watch);
  }

  tellMigrated(interest: TokenInterest): void {
    for (const watch of this.ofPools) watch(interest);
  }

  /** Of purchases on their way. Who answers true has sent the order, among others of its own. */
  onPending(watch: (pending: PendingTrade) => boolean): void {
    this.ofPending.push(watch);
  }

  /** True when somebody took the order along. */
  tellPending(pending: PendingTrade): boolean {
    return this.ofPending.some((watch) => watch(pending));
  }

  /** Of somebody with many followers who speaks well of a token. */
  onCall(watch: (interest: TokenInterest, caller: Person) => void): void {
    this.ofCalls.push(watch);
  }

  tellCall(interest: TokenInterest, caller: Person): void {
    for (const watch of this.ofCalls) watch(interest, caller);
  }
}
