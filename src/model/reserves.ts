import type { RawAmount } from './units.ts';

/** Pool holdings after the event, in raw units. */
export interface Reserves {
  readonly base: RawAmount;
  readonly quote: RawAmount;
  /**
   * What the pool prices with where that is not what it holds: a curve's virtual reserves, a PumpSwap
   * pool's vaults with its signed virtual reserves added. Null where the holdings price.
   */
  readonly virtualBase: RawAmount | null;
  readonly virtualQuote: RawAmount | null;
}

/** Both sides of a pool. */
export interface PoolSides {
  readonly base: RawAmount;
  readonly quote: RawAmount;
}

/** What a pool prices with: its virtual reserves where it has them, else what it holds. */
export function effectiveReserves(reserves: Reserves): PoolSides {
  return {
    base: reserves.virtualBase ?? reserves.base,
    quote: reserves.virtualQuote ?? reserves.quote,
  };
}

/**
 * What counts as a pool's liquidity (METHODS §1): of a curve what it holds, as its virtual reserves
 * are a formula's; of any other pool what it prices with, as a part that is set aside for it comes
 * back and fees that wait in its vaults are not its own.
 */
export function liquidReserves(reserves: Reserves, isCurve: boolean): PoolSides {
  return isCurve ? reserves : effectiveReserves(reserves);
}

/**
 * The quote that sales can take out at most: no more than the pool holds, and none of the fees that
 * wait in its vault beside what it prices with.
 */
export function takeableQuote({ quote, virtualQuote }: Reserves): RawAmount {
  return virtualQuote !== null && virtualQuote < quote ? virtualQuote : quote;
}
