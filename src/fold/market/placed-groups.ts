import type { BundleLevel } from '../../model/derived.ts';
import type { Address, Signature } from '../../model/units.ts';
import type { OwnerTrade } from './slot-trades.ts';

/** The group of trades that a trade was placed together with, and the level of that finding. */
export interface PlacedTogether {
  /** Created by `groupName`. */
  readonly id: string;
  readonly level: BundleLevel;
}

/** One owner's trade of a mint in a transaction, with its group. */
export interface PlacedTrade {
  readonly mint: Address;
  readonly owner: Address;
  readonly group: PlacedTogether;
}

/** The placed trades of one slot, by transaction: most transactions have none, and few have two. */
export type PlacedGroups = ReadonlyMap<Signature, readonly PlacedTrade[]>;

/** The group of an owner's trade of a mint, among the placed trades of a transaction. */
export function groupOf(
  placed: readonly PlacedTrade[] | undefined,
  mint: Address,
  owner: Address,
): PlacedTogether | null {
  if (placed === undefined) return null;
  return placed.find((trade) => trade.mint === mint && trade.owner === owner)?.group ?? null;
}

/** The name of a group within its slot, from the index of its first transaction. */
export function groupName(mint: Address, firstIndex: number): string {
  return `${mint} ${firstIndex}`;
}

/** Throws RangeError for a text that `groupName` did not create. */
export function indexOfGroup(id: string): number {
  const index = Number(id.slice(id.lastIndexOf(' ') + 1) || Number.NaN);
  if (!Number.isInteger(index) || index < 0) throw new RangeError(`invalid group name: ${id}`);
  return index;
}

/**
 * For each trade, the smallest transaction index of its group. `parts` are sets of trades that were
 * placed together; parts that share a trade form one group.
 */
export function firstIndexes(parts: Iterable<readonly OwnerTrade[]>): Map<OwnerTrade, number> {
  const leaders = new Map<OwnerTrade, OwnerTrade>();
  const leaderOf = (trade: OwnerTrade): OwnerTrade => {
    let leader = trade;
    for (;;) {
      const next = leaders.get(leader) ?? leader;
      if (next === leader) return leader;
      leader = next;
    }
  };
  for (const [first, ...others] of parts) {
    if (first === undefined) continue;
    for (const trade of [first, ...others]) {
      const [one, other] = [leaderOf(first), leaderOf(trade)];
      const isFirst = one.transaction.txIndex <= other.transaction.txIndex;
      leaders.set(isFirst ? other : one, isFirst ? one : other);
    }
  }
  const indexes = new Map<OwnerTrade, number>();
  for (const trade of leaders.keys()) indexes.set(trade, leaderOf(trade).transaction.txIndex);
  return indexes;
}
