import type { PricedSwap } from '../../src/model/derived.ts';
import type { TradePosition, TradeQuery } from '../../src/model/trade.ts';
import { inOrder, listedSwaps } from './listed-swaps.ts';
import type { TradeChain } from './trade-chain.ts';

/** The swap that a position would be of. */
export function swapAt(like: PricedSwap, { slot, txIndex, ...at }: TradePosition): PricedSwap {
  return { ...like, slot, txIndex, swap: { ...like.swap, ...at } };
}

const isOfSame = ({ swap: one }: PricedSwap, { swap: other }: PricedSwap) =>
  one.trader !== null && one.trader === other.trader && one.baseMint === other.baseMint;

/** The flags that are known of a swap at the end of the chain. */
function flagsOf(chain: TradeChain, swap: PricedSwap): string[] {
  const newest = chain.slots.length;
  const known = chain.drafted.filter(
    (one) => one.swap.slot + one.draft.later <= newest && isOfSame(one.swap, swap),
  );
  const isBundled = known.some(
    (one) =>
      one.draft.isBundled && one.swap.slot === swap.slot && one.swap.txIndex === swap.txIndex,
  );
  const isWash = known.some(
    ({ draft, swap: { slot } }) =>
      draft.isWash && swap.slot >= slot && swap.slot <= slot + draft.later,
  );
  return [
    ...(swap.swap.isIntermediateHop ? ['hop'] : []),
    ...(isBundled ? ['bundled'] : []),
    ...(isWash ? ['wash'] : []),
    ...(swap.exclusion === 'quarantined' ? ['quarantined'] : []),
  ];
}

/** What a list of all trades says about one. */
export interface ExpectedTrade {
  readonly first: PricedSwap;
  readonly side: 'buy' | 'sell';
  readonly base: bigint;
  readonly quote: bigint | null;
  readonly value: bigint | null;
  readonly isOrganic: boolean;
  readonly flags: readonly string[];
}

/** The trades of users by the signed changes of the pools' vaults. */
function userTrades(chain: TradeChain, asked: TradeQuery): ExpectedTrade[] {
  const range = {
    ...asked,
    side: null,
    valueUsdMin: null,
    class: 'all',
    beforeSlot: null,
  } as const;
  const swaps = listedSwaps(
    chain.drafted.map(({ swap }) => swap),
    range,
    null,
  );
  const byTrader = Map.groupBy(
    swaps,
    ({ slot, txIndex, swap }) => `${slot} ${txIndex} ${swap.trader} ${swap.baseMint}`,
  );
  return [...byTrader.values()].flatMap((legs) => {
    const sum = (amount: (leg: PricedSwap) => bigint) =>
      legs.reduce((total, leg) => total + amount(leg), 0n);
    const bought = -sum(({ swap }) => swap.poolBaseDelta);
    const first = legs.toSorted(inOrder)[0];
    if (first === undefined || bought === 0n) return [];
    const sign = bought > 0n ? 1n : -1n;
    const quote = sign * sum(({ swap }) => swap.poolQuoteDelta);
    const isPriced = legs.every(({ valueUsd }) => valueUsd !== null);
    const value = sign * sum((leg) => (leg.swap.side === 'buy' ? 1n : -1n) * (leg.valueUsd ?? 0n));
    const flags = legs.flatMap((leg) => flagsOf(chain, leg));
    return [
      {
        ...{ first, side: sign > 0n ? 'buy' : 'sell', base: sign * bought },
        ...{ quote: quote < 0n ? null : quote, value: isPriced && value >= 0n ? value : null },
        isOrganic: legs.every(({ isOrganic }) => isOrganic),
        flags: ['bundled', 'wash'].filter((flag) => flags.includes(flag)),
      } as const,
    ];
  });
}

function swapTrades(chain: TradeChain, asked: TradeQuery): ExpectedTrade[] {
  const all = chain.drafted.map(({ swap }) => swap);
  return listedSwaps(all, { ...asked, beforeSlot: null }, null).map((first) => {
    const { side, poolBaseDelta, poolQuoteDelta } = first.swap;
    const sign = side === 'buy' ? 1n : -1n;
    return {
      ...{ first, side, base: -sign * poolBaseDelta, quote: sign * poolQuoteDelta },
      ...{ value: first.valueUsd, isOrganic: first.isOrganic, flags: flagsOf(chain, first) },
    };
  });
}

/** The page that a list of all trades has. */
export function expectedPage(chain: TradeChain, asked: TradeQuery): ExpectedTrade[] {
  const { before, limit, side, valueUsdMin } = asked;
  const trades = asked.view === 'user' ? userTrades(chain, asked) : swapTrades(chain, asked);
  return trades
    .filter(({ first }) => before === null || inOrder(first, swapAt(first, before)) < 0)
    .filter((trade) => side === null || trade.side === side)
    .filter(({ value }) => valueUsdMin === null || (value !== null && value >= valueUsdMin))
    .filter(({ isOrganic, first }) => {
      if (asked.class === 'all') return true;
      return asked.class === 'organic' ? isOrganic : first.walletClass === 'bot';
    })
    .sort((one, other) => inOrder(other.first, one.first))
    .slice(0, limit);
}
