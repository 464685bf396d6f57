import { ATOMIC_LEVELS } from '../../model/derived.ts';
import type { CaseTrade, MintCase } from '../../model/mint-case.ts';
import type { Side } from '../../model/swap.ts';
import type { Address } from '../../model/units.ts';
import { coordinatedGroups, type LinkFamily } from './link-family.ts';

const STRENGTH = 0.75;

/** X-bundle: both wallets traded in one direction in one bundle. */
export const sameBundle: LinkFamily = {
  name: 'same-bundle',
  kind: 'market',
  find: ({ mintCase }) => coordinatedGroups(sidesOf(mintCase), STRENGTH),
};

/** Wallets on one side of a bundle. */
function* sidesOf(mintCase: MintCase): Iterable<ReadonlySet<Address>> {
  for (const trades of bundlesOf(mintCase)) {
    const buyers = walletsOf(trades, 'buy');
    const sellers = walletsOf(trades, 'sell');
    // A wallet on both sides of the bundle is a sandwich around an unrelated trade.
    if ([...buyers].some((wallet) => sellers.has(wallet))) continue;
    if (buyers.size > 1) yield buyers;
    if (sellers.size > 1) yield sellers;
  }
}

/** Yields the trades of each bundle with at least two; ids of groups are unique within a slot. */
function* bundlesOf({ trades }: MintCase): Iterable<readonly CaseTrade[]> {
  const bundled = trades.filter(({ group }) => group !== null && ATOMIC_LEVELS.has(group.level));
  for (let start = 0; start < bundled.length; ) {
    const slot = bundled[start]?.slot;
    let end = start + 1;
    while (bundled[end]?.slot === slot) end++;
    if (end - start > 1) {
      const bundles = Map.groupBy(bundled.slice(start, end), ({ group }) => group?.id);
      for (const bundle of bundles.values()) if (bundle.length > 1) yield bundle;
    }
    start = end;
  }
}

function walletsOf(trades: readonly CaseTrade[], side: Side): ReadonlySet<Address> {
  return new Set(trades.filter((trade) => trade.side === side).map(({ wallet }) => wallet));
}
