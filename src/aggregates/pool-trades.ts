import type { Side } from '../model/chain-event.ts';
import type { PricedSwap } from '../model/derived.ts';
import type { Address } from '../model/units.ts';

/**
 * What the swaps of one transaction on one pool count as in the pool's buys and sells: one trade
 * for each trader whose base holdings changed, on the side the net change says (METHODS §4).
 * Someone who bought and sold the same amount, or through whom the token only passed, made none.
 */
export function tradeSidesOf(swaps: readonly PricedSwap[]): Side[] {
  const [only] = swaps;
  if (swaps.length === 1 && only !== undefined) {
    return passesThrough(only) || only.swap.poolBaseDelta === 0n ? [] : [only.swap.side];
  }
  const netByTrader = new Map<Address, bigint>();
  for (const priced of swaps) {
    if (passesThrough(priced)) continue;
    const { trader, poolBaseDelta } = priced.swap;
    netByTrader.set(trader, (netByTrader.get(trader) ?? 0n) - poolBaseDelta);
  }
  const sides: Side[] = [];
  for (const net of netByTrader.values()) {
    if (net !== 0n) sides.push(net > 0n ? 'buy' : 'sell');
  }
  return sides;
}

function passesThrough({ swap }: PricedSwap): boolean {
  return swap.isIntermediateHop || swap.isAtomicRoundTrip;
}
