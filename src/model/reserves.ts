import type { Reserves } from './chain-event.ts';
import type { RawAmount } from './units.ts';

/** What a pool prices with: its virtual reserves where it has them, else what it holds. */
export function effectiveReserves(reserves: Reserves): {
  readonly base: RawAmount;
  readonly quote: RawAmount;
} {
  return {
    base: reserves.virtualBase ?? reserves.base,
    quote: reserves.virtualQuote ?? reserves.quote,
  };
}
