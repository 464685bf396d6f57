import type { HolderBalance } from '../model/derived.ts';
import {
  type Address,
  asAddress,
  asRawAmount,
  asSlot,
  type RawAmount,
  type Slot,
} from '../model/units.ts';

/**
 * Holders of one mint in columns. A list of a hundred is passed between threads for every slot that
 * changes it; columns cost a tenth of what objects cost.
 */
export interface PackedHolders {
  readonly mint: Address;
  /** Separated by spaces. */
  readonly owners: string;
  readonly balancesRaw: readonly RawAmount[];
  readonly firstSeenMs: readonly (number | null)[];
  readonly slots: readonly Slot[];
  /** Indexes of the holders that are pools. */
  readonly pools: readonly number[];
}

export function packHolders(mint: Address, holders: readonly HolderBalance[]): PackedHolders {
  const balancesRaw: RawAmount[] = [];
  const firstSeenMs: (number | null)[] = [];
  const slots: Slot[] = [];
  const pools: number[] = [];
  let owners = '';
  for (const [index, holder] of holders.entries()) {
    owners += index === 0 ? holder.owner : ` ${holder.owner}`;
    balancesRaw.push(holder.balanceRaw);
    firstSeenMs.push(holder.firstSeenMs);
    slots.push(holder.slot);
    if (holder.isPool) pools.push(index);
  }
  return { mint, owners, balancesRaw, firstSeenMs, slots, pools };
}

/** Unpacks holders in their order. The result is cached by object. */
export function unpackHolders(packed: PackedHolders): readonly HolderBalance[] {
  const known = unpacked.get(packed);
  if (known !== undefined) return known;
  const { mint, balancesRaw, firstSeenMs, slots } = packed;
  const pools = new Set(packed.pools);
  const owners = packed.owners === '' ? [] : packed.owners.split(' ');
  const holders = owners.map((owner, index) => ({
    mint,
    owner: asAddress(owner),
    balanceRaw: balancesRaw[index] ?? asRawAmount(0n),
    isPool: pools.has(index),
    firstSeenMs: firstSeenMs[index] ?? null,
    slot: slots[index] ?? asSlot(0),
  }));
  unpacked.set(packed, holders);
  return holders;
}

const unpacked = new WeakMap<PackedHolders, readonly HolderBalance[]>();
