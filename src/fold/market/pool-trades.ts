import type { Side, Swap } from '../../model/swap.ts';
import type { Address } from '../../model/units.ts';

/**
 * The sides of the trades that the swaps of one transaction on one pool count as: one trade for
 * each trader whose base balance changed, on the side of the net change (METHODS §4). A trader that
 * bought and sold the same amount, or only passed the token on, made no trade.
 */
export function tradeSidesOf(swaps: readonly Swap[]): Side[] {
  const [only] = swaps;
  if (swaps.length === 1 && only !== undefined) {
    return passesThrough(only) || only.poolBaseDelta === 0n ? [] : [only.side];
  }
  const netByTrader = new Map<Address | null, bigint>();
  for (const swap of swaps) {
    if (passesThrough(swap)) continue;
    const { trader, poolBaseDelta } = swap;
    netByTrader.set(trader, (netByTrader.get(trader) ?? 0n) - poolBaseDelta);
  }
  const sides: Side[] = [];
  for (const net of netByTrader.values()) {
    if (net !== 0n) sides.push(net > 0n ? 'buy' : 'sell');
  }
  return sides;
}

function passesThrough(swap: Swap): boolean {
  return swap.isIntermediateHop || swap.isAtomicRoundTrip;
}
