import type { TradeCosts } from '../../signals/execution/fill.ts';
import type { RoundTrip } from './hypothetical-trade.ts';
import { returnOf } from './traded-hits.ts';

const LEAST_USD = 10;
const MOST_USD = 1_000_000;
const STEP = 1.25;

/**
 * The largest ticket in dollars whose mean return over all trades is above 0; null if there is none
 * from $10 to $1,000,000. Found between steps of a quarter, to one percent: small tickets lose by
 * fixed costs, large ones by their own impact.
 */
export function capacityUsd(trips: readonly RoundTrip[], costs: TradeCosts): number | null {
  if (trips.length === 0) return null;
  const isAhead = (ticketUsd: number) =>
    trips.reduce((sum, trip) => sum + returnOf(trip, ticketUsd, costs), 0) > 0;
  let low: number | null = null;
  for (let ticketUsd = LEAST_USD; ticketUsd <= MOST_USD; ticketUsd *= STEP) {
    if (isAhead(ticketUsd)) low = ticketUsd;
  }
  if (low === null) return null;
  let high = low * STEP;
  while (high / low > 1.01) {
    const middle = Math.sqrt(low * high);
    if (isAhead(middle)) low = middle;
    else high = middle;
  }
  return Math.floor(low);
}
