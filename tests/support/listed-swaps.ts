import type { PricedSwap } from '../../src/model/derived.ts';
import type { SwapRange } from '../../src/store/reads/trade-sql.ts';

/** Slot, transaction, instruction and inner instruction. */
export function placeOf({ slot, txIndex, swap }: PricedSwap): readonly number[] {
  return [slot, txIndex, swap.outerIx, swap.innerIx];
}

/** The order of execution, and by address where one instruction swaps on several pools. */
export function inOrder(one: PricedSwap, other: PricedSwap): number {
  const [a, b] = [placeOf(one), placeOf(other)];
  const at = a.findIndex((value, index) => value !== b[index]);
  if (at >= 0) return (a[at] ?? 0) - (b[at] ?? 0);
  return one.swap.pool < other.swap.pool ? -1 : Number(one.swap.pool > other.swap.pool);
}

/** The swaps that a range means and that are older than one of them, newest first, from a list. */
export function listedSwaps(
  swaps: readonly PricedSwap[],
  range: SwapRange,
  after: PricedSwap | null,
): PricedSwap[] {
  return [...swaps]
    .sort(inOrder)
    .reverse()
    .filter((priced) => after === null || inOrder(priced, after) < 0)
    .filter(({ swap }) => range.mint === null || swap.baseMint === range.mint)
    .filter(({ swap }) => range.pool === null || swap.pool === range.pool)
    .filter(({ swap }) => range.wallet === null || swap.trader === range.wallet)
    .filter(({ timeMs }) => timeMs >= (range.fromMs ?? 0) && timeMs < (range.toMs ?? 1e15))
    .filter(({ slot }) => slot < (range.beforeSlot ?? 1e15))
    .filter(({ swap }) => range.side === null || swap.side === range.side)
    .filter(({ valueUsd }) => range.valueUsdMin === null || (valueUsd ?? -1n) >= range.valueUsdMin)
    .filter(({ isOrganic, walletClass }) => {
      if (range.class === 'all') return true;
      return range.class === 'organic' ? isOrganic : walletClass === 'bot';
    })
    .filter(({ swap, exclusion }) => {
      if (range.view === 'all') return true;
      return !swap.isIntermediateHop && exclusion !== 'quarantined' && swap.trader !== null;
    });
}
