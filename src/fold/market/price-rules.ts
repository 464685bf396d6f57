import { absolute } from '../../lib/decimal.ts';
import type { PriceExclusion } from '../../model/derived.ts';
import type { Swap } from '../../model/swap.ts';
import { type PriceE18, powerOfTen, type UsdNano } from '../../model/units.ts';
import { obeysCurve } from './curve-physics.ts';

/** One US cent. */
const DUST_USD_NANO = 10_000_000n;
/** Dust limit in raw units of a quote with nine decimals, used while USD is unknown. */
const DUST_QUOTE_RAW = 10_000n;
const DUST_QUOTE_DECIMALS = 9;
/** Below this amount integer rounding alone may distort a price by more than 0.1 %. */
const DUST_BASE_RAW = 1_000n;

/**
 * The reason why a swap must not set a price, from the swap alone (METHODS §5.3 rules 1 to 3), or
 * null. If several rules apply, the first one determines the reason.
 *
 * A hop of a route may set the price of its pair like any other trade, because it was really paid.
 */
export function exclusionOf(
  swap: Swap,
  price: PriceE18 | null,
  valueUsd: UsdNano | null,
): PriceExclusion | null {
  if (swap.quarantine !== null) return 'quarantined';
  if (!obeysCurve(swap)) return 'physics';
  // A price that rounds to zero carries no information and counts as dust.
  if (price === null || price === 0n || isDust(swap, valueUsd)) return 'dust';
  if (swap.isPureArbitrage) return 'pure_arbitrage';
  if (swap.isAtomicRoundTrip) return 'atomic_round_trip';
  return null;
}

function isDust(swap: Swap, valueUsd: UsdNano | null): boolean {
  const baseRaw = absolute(swap.poolBaseDelta);
  if (baseRaw < DUST_BASE_RAW) return true;
  if (valueUsd !== null) return valueUsd < DUST_USD_NANO;
  const quoteRaw = absolute(swap.poolQuoteDelta);
  return (
    quoteRaw * powerOfTen(DUST_QUOTE_DECIMALS) < DUST_QUOTE_RAW * powerOfTen(swap.quoteDecimals)
  );
}
