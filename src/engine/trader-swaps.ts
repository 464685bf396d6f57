import { absolute } from '../lib/decimal.ts';
import type { PricedSwap } from '../model/derived.ts';
import type { Address } from '../model/units.ts';

/** The believed swaps of one trader in one transaction, in order. */
export interface TraderSwaps {
  readonly trader: Address;
  readonly swaps: readonly [PricedSwap, ...PricedSwap[]];
}

/** What is left of a mint after a round trip, at most: a thousandth of what moved (METHODS §0.9). */
const ROUND_TRIP_SHARE = 1_000n;

/** By trader in order of first swap; quarantined swaps are nobody's. */
export function swapsByTrader(swaps: readonly PricedSwap[]): TraderSwaps[] {
  const traders: { trader: Address; swaps: [PricedSwap, ...PricedSwap[]] }[] = [];
  for (const priced of swaps) {
    if (priced.exclusion === 'quarantined') continue;
    const { trader } = priced.swap;
    const known = traders.find((one) => one.trader === trader);
    if (known === undefined) traders.push({ trader, swaps: [priced] });
    else known.swaps.push(priced);
  }
  return traders;
}

/** The trader sold within the transaction what it bought there, of one mint, on whatever pools. */
export function isRoundTrip({ swaps }: TraderSwaps): boolean {
  const [first] = swaps;
  if (swaps.length === 1) return first.swap.isPureArbitrage;
  for (const { swap } of swaps) {
    if (swap.isAtomicRoundTrip || swap.isPureArbitrage) return true;
  }
  const gross = new Map<Address, { gross: bigint; net: bigint }>();
  for (const { swap } of swaps) {
    const sum = gross.get(swap.baseMint) ?? { gross: 0n, net: 0n };
    sum.gross += absolute(swap.poolBaseDelta);
    sum.net += swap.poolBaseDelta;
    gross.set(swap.baseMint, sum);
  }
  // Of what passes through on a route nothing is left either: that is no trip of the trader's.
  const own = swaps.filter(({ swap }) => !swap.isIntermediateHop);
  return own.some(({ swap }) => {
    const sum = gross.get(swap.baseMint);
    return sum !== undefined && absolute(sum.net) * ROUND_TRIP_SHARE <= sum.gross;
  });
}
