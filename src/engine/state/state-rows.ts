import type { TradeIdentity } from '../../fold/market/robust-price.ts';
import type { Candle, HolderBalance, PricedSwap, SolPrice } from '../../model/derived.ts';
import type { Outcome } from '../../model/signal.ts';
import type { Address } from '../../model/units.ts';
import type { EngineState } from './engine-state.ts';

/**
 * Rows of the current state as the store has them, by key. Null for what the state does not have:
 * it never existed, or can no longer change.
 */
export class StateRows {
  private readonly state: EngineState;
  private readonly openOutcomes: ReadonlyMap<number, Outcome>;

  constructor(state: EngineState) {
    this.state = state;
    this.openOutcomes = new Map(
      [...state.signals.openOutcomes()].map((outcome) => [outcome.rowId, outcome]),
    );
  }

  /** A swap whose label can still change, with its current label. */
  swap(identity: TradeIdentity): PricedSwap | null {
    return this.state.books.prices.unsettled(identity)?.priced ?? null;
  }

  /** A candle that can still change. */
  candle(scope: Address, openTimeMs: number): Candle | null {
    return this.state.books.candles.find(scope, openTimeMs);
  }

  /** The balance of an owner; null for one without a balance. */
  balance(mint: Address, owner: Address): HolderBalance | null {
    return this.state.books.holders.find(mint, owner);
  }

  /** The price of SOL in one of the last minutes. */
  solPrice(minuteMs: number): SolPrice | null {
    return this.state.books.solPrices.ofMinute(minuteMs);
  }

  /** The outcome of a signal that can still change. */
  outcome(rowId: number): Outcome | null {
    return this.openOutcomes.get(rowId) ?? null;
  }
}
