import { effectiveReserves, type Reserves } from '../../model/reserves.ts';
import type { KeptFees } from '../../model/swap.ts';
import { asRawAmount, type RawAmount } from '../../model/units.ts';

/** Signed changes of a pool's holdings, and fees that it keeps but does not price with. */
interface PoolChange {
  readonly poolBaseDelta: bigint;
  readonly poolQuoteDelta: bigint;
  readonly keptFees?: KeptFees;
}

/**
 * The reserves after an event that does not report them. Kept fees add to the holdings but not to
 * the pricing reserves, so from then on both differ.
 */
export function shifted(reserves: Reserves, change: PoolChange): Reserves {
  const { poolBaseDelta, poolQuoteDelta, keptFees } = change;
  const { virtualBase, virtualQuote } = keptFees === undefined ? reserves : explicit(reserves);
  return {
    base: asRawAmount(reserves.base + poolBaseDelta + (keptFees?.base ?? 0n)),
    quote: asRawAmount(reserves.quote + poolQuoteDelta + (keptFees?.quote ?? 0n)),
    virtualBase: virtualBase === null ? null : asRawAmount(virtualBase + poolBaseDelta),
    virtualQuote: virtualQuote === null ? null : asRawAmount(virtualQuote + poolQuoteDelta),
  };
}

/** Changes the holdings without changing the reserves that the pool prices with. */
export function setAside(reserves: Reserves, baseDelta: bigint, quoteDelta: bigint): Reserves {
  return {
    base: asRawAmount(reserves.base + baseDelta),
    quote: asRawAmount(reserves.quote + quoteDelta),
    ...explicit(reserves),
  };
}

/**
 * The reserves after a deposit or withdrawal that reports only holdings. The difference between
 * pricing reserves and holdings stays as it was.
 */
export function withHoldings(before: Reserves | null, held: Reserves): Reserves {
  if (before === null || held.virtualBase !== null || held.virtualQuote !== null) return held;
  if (before.virtualBase === null || before.virtualQuote === null) return held;
  return {
    ...held,
    virtualBase: asRawAmount(held.base + before.virtualBase - before.base),
    virtualQuote: asRawAmount(held.quote + before.virtualQuote - before.quote),
  };
}

/** The reserves of a pool that prices with its holdings. */
export function exactReserves(base: RawAmount, quote: RawAmount): Reserves {
  return { base, quote, virtualBase: null, virtualQuote: null };
}

/** The pricing reserves of a pool as explicit virtual reserves. */
function explicit(reserves: Reserves): Pick<Reserves, 'virtualBase' | 'virtualQuote'> {
  const { base, quote } = effectiveReserves(reserves);
  return { virtualBase: base, virtualQuote: quote };
}
