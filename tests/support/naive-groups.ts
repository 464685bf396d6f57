import { findBundles } from '../../src/fold/market/bundles.ts';
import { findLaunchCohort } from '../../src/fold/market/launch-cohort.ts';
import type { LamportsOfSwap } from '../../src/fold/market/slot-trades.ts';
import { type OwnerTrade, tradesByMint } from '../../src/fold/market/slot-trades.ts';
import { findTippedRuns, readNeighbours } from '../../src/fold/market/tipped-runs.ts';
import type { BundleLevel } from '../../src/model/derived.ts';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import type { Address, Signature } from '../../src/model/units.ts';

export interface PlacedTogether {
  readonly id: string;
  readonly level: BundleLevel;
}

/** Identifies one owner's trade of a mint in a transaction. */
export function tradeKey(signature: Signature, mint: Address, owner: Address): string {
  return `${signature} ${mint} ${owner}`;
}

/**
 * Trades that were placed together in a slot, by `tradeKey`. Levels are those of `findBundles`;
 * groups that share a trade are one group, named by its first transaction.
 */
export function groupsOf(
  facts: SlotFacts,
  lamportsOf: LamportsOfSwap,
): ReadonlyMap<string, PlacedTogether> {
  const items = findBundles(facts, lamportsOf);
  if (items.length === 0) return new Map();
  const levels = new Map(
    items.map((item) => [tradeKey(item.signature, item.mint, item.owner), item.level]),
  );
  const found = new Map<string, PlacedTogether>();
  for (const [mint, trades] of tradesByMint(facts, lamportsOf)) {
    for (const group of joined(partsOf(facts, mint, trades))) {
      const first = Math.min(...group.map(({ transaction }) => transaction.txIndex));
      for (const { transaction, owner } of group) {
        const key = tradeKey(transaction.signature, mint, owner);
        const level = levels.get(key);
        if (level !== undefined) found.set(key, { id: `${mint} ${first}`, level });
      }
    }
  }
  return found;
}

/** Transactions of several trades, runs around one tip, and the cohort of a launch. */
function partsOf(facts: SlotFacts, mint: Address, trades: readonly OwnerTrade[]): OwnerTrade[][] {
  const placed = trades.filter(({ transaction }) => transaction.isIndexKnown);
  const together = [
    ...Map.groupBy(trades, ({ transaction, side }) => `${transaction.signature} ${side}`).values(),
  ];
  const runs = findTippedRuns(placed, readNeighbours(facts)).map(({ trades: run }) => [...run]);
  const launch = facts.transactions.findLast(({ events, isIndexKnown }) =>
    events.some(
      (event) =>
        isIndexKnown &&
        (event.kind === 'launch' || event.kind === 'mintCreated') &&
        event.mint === mint,
    ),
  );
  if (launch === undefined) return [...together, ...runs];
  const buys = placed
    .filter(({ side, transaction }) => side === 'buy' && transaction.txIndex > launch.txIndex)
    .map((trade) => ({
      trade,
      offset: trade.transaction.txIndex - launch.txIndex,
      owner: trade.owner,
      lamports: trade.lamports,
      hasTip: trade.transaction.tips.some(({ provider }) => provider === 'jito'),
    }));
  return [...together, ...runs, findLaunchCohort(buys).map(({ trade }) => trade)];
}

/** The parts, merged where they share a trade. */
function joined(parts: readonly OwnerTrade[][]): OwnerTrade[][] {
  let groups: Set<OwnerTrade>[] = [];
  for (const part of parts) {
    if (part.length === 0) continue;
    const touching = groups.filter((group) => part.some((trade) => group.has(trade)));
    groups = groups.filter((group) => !touching.includes(group));
    groups.push(new Set([...part, ...touching.flatMap((group) => [...group])]));
  }
  return groups.map((group) => [...group]);
}
