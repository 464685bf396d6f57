import type { HolderBalance } from '../model/derived.ts';
import type { Address, RawAmount, Slot } from '../model/units.ts';

/**
 * Holders of one mint column by column. A list of a hundred goes between threads with every slot that
 * touches it: as columns that costs a tenth of what it costs as objects.
 */
export interface PackedHolders {
  readonly mint: Address;
  /** With spaces between them. */
  readonly owners: string;
  readonly balancesRaw: readonly RawAmount[];
  readonly firstSeenMs: readonly (number | null)[];
  readonly slots: readonly Slot[];
  /** Places of those that are pools. */
  readonly pools: readonly number[];
}

export function packHolders(mint: Address, holders: readonly HolderBalance[]): PackedHolders {
  const balancesRaw: RawAmount[] = [];
  const firstSeenMs: (number | null)[] = [];
  const slots: Slot[] = [];
  const pools: number[] = [];
  let owners = '';
  for (const [place, holder] of holders.entries()) {
    owners += place === 0 ? holder.owner : ` ${holder.owner}`;
    balancesRaw.push(holder.balanceRaw);
    firstSeenMs.push(holder.firstSeenMs);
    slots.push(holder.slot);
    if (holder.isPool) pools.push(place);
  }
  return { mint, owners, balancesRaw, firstSeenMs, slots, pools };
}

/** What was packed, in its order. Lists that are asked for again are unpacked once. */
export function unpackHolders(packed: PackedHolders): readonly HolderBalance[] {
  const known = unpacked.get(packed);
  if (known !== undefined) return known;
  const { mint, balancesRaw, firstSeenMs, slots } = packed;
  const pools = new Set(packed.pools);
  const owners = packed.owners === '' ? [] : packed.owners.split(' ');
  const holders = owners.map((owner, place) => ({
    mint,
    owner: owner as Address,
    balanceRaw: balancesRaw[place] ?? (0n as RawAmount),
    isPool: pools.has(place),
    firstSeenMs: firstSeenMs[place] ?? null,
    slot: slots[place] ?? (0 as Slot),
  }));
  unpacked.set(packed, holders);
  return holders;
}

const unpacked = new WeakMap<PackedHolders, readonly HolderBalance[]>();
