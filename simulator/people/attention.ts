import type { Address } from '../../src/model/units.ts';
import type { MarketFact } from '../chain/market-fact.ts';
import type { Order } from '../market/order.ts';
import type { SeenTransaction } from '../market/world.ts';
import type { TokenInterest } from './token-interest.ts';
import type { Trade } from './trade-order.ts';
import type { Person } from './wallets.ts';

/** A trade with a known trader. */
export type TradeFact = MarketFact & { readonly kind: 'trade'; readonly trader: Address };

/** A signed purchase that is not sent yet, as seen by programs that watch pending orders. */
export interface PendingTrade {
  readonly interest: TokenInterest;
  readonly trade: Trade;
  readonly order: Order;
}

/** A kind of people, as a candidate for the buyers that a token attracts. */
export interface Buyers {
  /** Roughly their number. */
  readonly weight: number;
  readonly come: (interest: TokenInterest) => void;
}

/**
 * Publishes the events that all participants can see. Listeners are called in the order of
 * registration.
 */
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

  /** Called for each token that attracts attention; its launch may not be in a block yet. */
  onToken(watch: (interest: TokenInterest) => void): void {
    this.ofTokens.push(watch);
  }

  readToken(interest: TokenInterest): void {
    for (const watch of this.ofTokens) watch(interest);
  }

  /** Called for each trade of such a token, once its block is produced. */
  onTrade(watch: (interest: TokenInterest, trade: TradeFact, seen: SeenTransaction) => void): void {
    this.ofTrades.push(watch);
  }

  publishTrade(interest: TokenInterest, trade: TradeFact, seen: SeenTransaction): void {
    for (const watch of this.ofTrades) watch(interest, trade, seen);
  }

  /** Called for a token that migrated from its curve to a pool. */
  onMigrated(watch: (interest: TokenInterest) => void): void {
    this.ofPools.push(watch);
  }

  publishMigration(interest: TokenInterest): void {
    for (const watch of this.ofPools) watch(interest);
  }

  /**
   * Called for pending purchases. A listener that returns true has sent the order together with its
   * own.
   */
  onPending(watch: (pending: PendingTrade) => boolean): void {
    this.ofPending.push(watch);
  }

  /** Returns true if a listener sent the order. */
  tellPending(pending: PendingTrade): boolean {
    return this.ofPending.some((watch) => watch(pending));
  }

  /** Called when a promoter recommends a token. */
  onCall(watch: (interest: TokenInterest, caller: Person) => void): void {
    this.ofCalls.push(watch);
  }

  publishCall(interest: TokenInterest, caller: Person): void {
    for (const watch of this.ofCalls) watch(interest, caller);
  }
}
