import { effectiveReserves, type Reserves } from '../../model/reserves.ts';
import type { KeptFees } from '../../model/swap.ts';
import type { RawAmount } from '../../model/units.ts';

/** Signed amounts as a pool sees them, and fees of them that it keeps without trading with them. */
interface PoolChange {
  readonly poolBaseDelta: bigint;
  readonly poolQuoteDelta: bigint;
  readonly keptFees?: KeptFees;
}

/**
 * Reserves moved by an event that did not carry them. Fees that are kept are held and do not price:
 * from then on what the pool prices with is not what it holds.
 */
export function shifted(reserves: Reserves, change: PoolChange): Reserves {
  const { poolBaseDelta, poolQuoteDelta, keptFees } = change;
  const { virtualBase, virtualQuote } = keptFees === undefined ? reserves : explicit(reserves);
  return {
    base: (reserves.base + poolBaseDelta + (keptFees?.base ?? 0n)) as RawAmount,
    quote: (reserves.quote + poolQuoteDelta + (keptFees?.quote ?? 0n)) as RawAmount,
    virtualBase: virtualBase === null ? null : ((virtualBase + poolBaseDelta) as RawAmount),
    virtualQuote: virtualQuote === null ? null : ((virtualQuote + poolQuoteDelta) as RawAmount),
  };
}

/** Holdings moved by so much, while the pool goes on pricing as it did. */
export function setAside(reserves: Reserves, baseDelta: bigint, quoteDelta: bigint): Reserves {
  return {
    base: (reserves.base + baseDelta) as RawAmount,
    quote: (reserves.quote + quoteDelta) as RawAmount,
    ...explicit(reserves),
  };
}

/**
 * Holdings that a deposit or a withdrawal left, which says nothing of what the pool prices with beside
 * them: that stays what it was.
 */
export function withHoldings(before: Reserves | null, held: Reserves): Reserves {
  if (before === null || held.virtualBase !== null || held.virtualQuote !== null) return held;
  if (before.virtualBase === null || before.virtualQuote === null) return held;
  return {
    ...held,
    virtualBase: (held.base + before.virtualBase - before.base) as RawAmount,
    virtualQuote: (held.quote + before.virtualQuote - before.quote) as RawAmount,
  };
}

/** Of a pool that prices with what it holds. */
export function exactReserves(base: RawAmount, quote: RawAmount): Reserves {
  return { base, quote, virtualBase: null, virtualQuote: null };
}

/** What a pool prices with, written as virtual reserves. */
function explicit(reserves: Reserves): Pick<Reserves, 'virtualBase' | 'virtualQuote'> {
  const { base, quote } = effectiveReserves(reserves);
  return { virtualBase: base, virtualQuote: quote };
}
