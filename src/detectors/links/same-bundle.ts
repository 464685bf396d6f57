import type { Side } from '../../model/chain-event.ts';
import type { BundleLevel } from '../../model/derived.ts';
import type { CaseTrade } from '../../model/mint-case.ts';
import type { Address } from '../../model/units.ts';
import { evenly, type LinkFamily, type LinkGroup, type LinkInput } from './link-family.ts';

/** Those that stand on the transactions themselves, not on alike sizes or on links. */
const LEVELS: ReadonlySet<BundleLevel> = new Set(['L1', 'L2']);
const STRENGTH = 0.75;

/** X-bundle: both traded in one direction in one bundle. */
export const sameBundle: LinkFamily = { name: 'same-bundle', find };

function* find({ mintCase }: LinkInput): Iterable<LinkGroup> {
  const bundled = mintCase.trades.filter(({ group }) => group !== null && LEVELS.has(group.level));
  const bundles = Map.groupBy(bundled, ({ slot, group }) => `${slot} ${group?.id}`);
  for (const trades of bundles.values()) {
    const buyers = walletsOf(trades, 'buy');
    const sellers = walletsOf(trades, 'sell');
    // Somebody in front of and behind a stranger: a sandwich.
    if ([...buyers].some((wallet) => sellers.has(wallet))) continue;
    for (const members of [buyers, sellers]) {
      yield {
        relationship: 'coordinated_trading',
        via: null,
        strength: STRENGTH,
        members: evenly(members),
      };
    }
  }
}

function walletsOf(trades: readonly CaseTrade[], side: Side): ReadonlySet<Address> {
  return new Set(trades.filter((trade) => trade.side === side).map(({ wallet }) => wallet));
}
