import type { BundleLevel } from '../../model/derived.ts';
import type { Address, Signature } from '../../model/units.ts';
import type { OwnerTrade } from './slot-trades.ts';

/** Trades that were placed together: their group, and how certain that is of the one asked about. */
export interface PlacedTogether {
  /** As `groupName` makes it. */
  readonly id: string;
  readonly level: BundleLevel;
}

/** What was placed together in one slot, by `placedKey`. */
export type PlacedGroups = ReadonlyMap<string, PlacedTogether>;

export const NO_GROUPS: PlacedGroups = new Map();

/** Names one owner's trade of a mint in a transaction. */
export function placedKey(signature: Signature, mint: Address, owner: Address): string {
  return `${signature} ${mint} ${owner}`;
}

/** Name of a group within its slot, by its first transaction. */
export function groupName(mint: Address, firstIndex: number): string {
  return `${mint} ${firstIndex}`;
}

/** Throws RangeError for what `groupName` did not make. */
export function indexOfGroup(id: string): number {
  const index = Number(id.slice(id.lastIndexOf(' ') + 1) || Number.NaN);
  if (!Number.isInteger(index) || index < 0) throw new RangeError(`${id} names no group`);
  return index;
}

/**
 * The least index of the trades that each trade belongs with. `parts` are trades that were placed
 * together; parts that share a trade are one group.
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
