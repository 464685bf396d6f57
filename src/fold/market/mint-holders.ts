import { BURN_ADDRESSES } from '../../model/known-owners.ts';
import { type Address, asRawAmount, type RawAmount } from '../../model/units.ts';
import { type HolderNode, TopHolders } from './top-holders.ts';

/** The holders of a mint. */
export interface MintHolders {
  readonly mint: Address;
  readonly owners: Map<Address, HolderNode>;
  /** Owners with a balance above zero. */
  readonly order: TopHolders;
  /** Owners that are pools or burn addresses. */
  readonly excluded: Set<Address>;
}

/** Creates the holders of a mint without owners. */
export function newMintHolders(mint: Address): MintHolders {
  return { mint, owners: new Map(), order: new TopHolders(), excluded: new Set() };
}

/** A balance below a billionth of the supply is dust (METHODS §1). */
const DUST_SHARE = 1_000_000_000n;

/** The minimum raw amount that counts as a holding; 1 if the supply is unknown. */
export function leastHolding(supplyRaw: bigint | null): bigint {
  const least = ((supplyRaw ?? 0n) + DUST_SHARE - 1n) / DUST_SHARE;
  return least > 1n ? least : 1n;
}

/** Counts owners with more than dust, except pools and burn addresses. All must be in the order. */
export function countHolders(holders: MintHolders, supplyRaw: bigint | null): number {
  const least = leastHolding(supplyRaw);
  let count = holders.order.countAtLeast(least);
  for (const owner of holders.excluded) {
    if ((holders.owners.get(owner)?.balanceRaw ?? 0n) >= least) count--;
  }
  return count;
}

/** The total balance of the burn addresses. */
export function burnedOf({ owners }: MintHolders): RawAmount {
  let burnedRaw = 0n;
  for (const owner of BURN_ADDRESSES) burnedRaw += owners.get(owner)?.balanceRaw ?? 0n;
  return asRawAmount(burnedRaw);
}

/** One line per balance, by owner. */
export function* digestRowsOf({ mint, owners, excluded }: MintHolders): Iterable<string> {
  for (const node of [...owners.values()].sort(byOwner)) {
    const isExcluded = excluded.has(node.owner);
    yield `holder ${mint} ${node.owner} ${node.balanceRaw} ${node.firstSeenMs} ${node.slot} ${isExcluded}`;
  }
}

function byOwner(one: HolderNode, other: HolderNode): number {
  return one.owner < other.owner ? -1 : 1;
}
