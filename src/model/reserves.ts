import { type Described, record } from './codec.ts';
import type { RawAmount } from './units.ts';
import { amount, maybeAmount } from './value-codecs.ts';

export const RESERVES = record({
  base: amount,
  quote: amount,
  /**
   * The reserves the pool prices with when they differ from its holdings: a curve's virtual
   * reserves, or a PumpSwap pool's vaults plus its signed virtual reserves. Null when the pool
   * prices with its holdings.
   */
  virtualBase: maybeAmount,
  virtualQuote: maybeAmount,
});

/** Pool holdings after the event, in raw units. */
export interface Reserves extends Described<typeof RESERVES> {}

/** Both sides of a pool. */
export interface PoolSides {
  readonly base: RawAmount;
  readonly quote: RawAmount;
}

/** The reserves a pool prices with: its virtual reserves if it has any, otherwise its holdings. */
export function effectiveReserves(reserves: Reserves): PoolSides {
  return {
    base: reserves.virtualBase ?? reserves.base,
    quote: reserves.virtualQuote ?? reserves.quote,
  };
}

/**
 * The reserves that count as a pool's liquidity (METHODS §1). For a curve these are its holdings,
 * since its virtual reserves are only parameters of a formula. For any other pool they are the
 * reserves it prices with, since a part set aside for the pool returns to it, while unclaimed fees
 * in its vaults are not its own.
 */
export function liquidReserves(reserves: Reserves, isCurve: boolean): PoolSides {
  return isCurve ? reserves : effectiveReserves(reserves);
}

/**
 * Upper bound of the quote that sales can withdraw: at most the pool's holdings, excluding
 * unclaimed fees in its vault.
 */
export function withdrawableQuote({ quote, virtualQuote }: Reserves): RawAmount {
  return virtualQuote !== null && virtualQuote < quote ? virtualQuote : quote;
}
