import { BURN_ADDRESSES } from '../../model/known-owners.ts';
import type { Address, RawAmount } from '../../model/units.ts';
import { type HolderNode, TopHolders } from './top-holders.ts';

/** Who holds a mint. */
export interface MintHolders {
  readonly mint: Address;
  readonly owners: Map<Address, HolderNode>;
  /** Owners with a balance above zero. */
  readonly order: TopHolders;
  /** Owners here that are pools or burn addresses. */
  readonly excluded: Set<Address>;
}

/** Of a mint that nobody holds yet. */
export function newMintHolders(mint: Address): MintHolders {
  return { mint, owners: new Map(), order: new TopHolders(), excluded: new Set() };
}

/** Less than a billionth of the supply is dust, not a holding (METHODS §1). */
const DUST_SHARE = 1_000_000_000n;

/** The least raw amount that is a holding; of an unknown supply any. */
export function leastHolding(supplyRaw: bigint | null): bigint {
  const least = ((supplyRaw ?? 0n) + DUST_SHARE - 1n) / DUST_SHARE;
  return least > 1n ? least : 1n;
}

/** Owners that are neither pools nor burn addresses, with more than dust; all must be in the order. */
export function countHolders(holders: MintHolders, supplyRaw: bigint | null): number {
  const least = leastHolding(supplyRaw);
  let count = holders.order.countAtLeast(least);
  for (const owner of holders.excluded) {
    if ((holders.owners.get(owner)?.balanceRaw ?? 0n) >= least) count--;
  }
  return count;
}

/** What lies at burn addresses. */
export function burnedOf({ owners }: MintHolders): RawAmount {
  let burnedRaw = 0n;
  for (const owner of BURN_ADDRESSES) burnedRaw += owners.get(owner)?.balanceRaw ?? 0n;
  return burnedRaw as RawAmount;
}

/** Every balance as a line, by owner. */
export function* digestRowsOf({ mint, owners, excluded }: MintHolders): Iterable<string> {
  for (const node of [...owners.values()].sort(byOwner)) {
    const isExcluded = excluded.has(node.owner);
    yield `holder ${mint} ${node.owner} ${node.balanceRaw} ${node.firstSeenMs} ${node.slot} ${isExcluded}`;
  }
}

function byOwner(one: HolderNode, other: HolderNode): number {
  return one.owner < other.owner ? -1 : 1;
}
