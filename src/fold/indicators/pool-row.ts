import { rowLayout } from '../../lib/row-layout.ts';
import type { RowTable } from '../../lib/row-table.ts';
import { wideSum } from '../../lib/wide-sum.ts';
import type { HoldSums } from './hold-time.ts';
import type { GapSums } from './trade-frequency.ts';

/**
 * A pool: the head of its list of wallets, and sums over the organic ones (lib/wide-sum.ts). A pool has
 * fewer than 2^32 wallets, each with at most 2^63 in its volume and hold terms and 2^73 ns in its
 * gap.
 */
export const POOL_LAYOUT = rowLayout({
  organicVolumeUsd: ['u64', 2],
  /** Volume of trades whose trader was organic, and profitable, at the end of their slot. */
  tradedOrganicUsd: ['u64', 2],
  tradedProfitableUsd: ['u64', 2],
  /** Sums of the hold terms (hold-time.ts). */
  holdConstantNs: ['u64', 2],
  holdSlopeE15: ['u64', 2],
  /** Sum of the gaps between trades (trade-frequency.ts). */
  gapNs: ['u64', 2],
  /** Address id of the pool. */
  address: 'u32',
  baseDecimals: 'u32',
  /** Number of wallets that swapped here; each has a row. */
  wallets: 'u32',
  /** Number of traders that are not wallets and never were in a swap of this pool. */
  programTraders: 'u32',
  /** Row of the newest wallet plus one, 0 for none. */
  firstRow: 'u32',
  organicWallets: 'u32',
  /** Organic wallets with a hold term. */
  holdWallets: 'u32',
  /** Organic wallets that traded at least twice. */
  gapWallets: 'u32',
});

const FIELD = POOL_LAYOUT.fields;

/** The traders of a pool: their number, and sums over the organic ones. */
export interface PoolWallets extends HoldSums, GapSums {
  readonly wallets: number;
  readonly organicWallets: number;
  readonly organicVolumeUsd: bigint;
  /** Volume of trades whose trader was organic, and profitable, at the end of their slot. */
  readonly tradedOrganicUsd: bigint;
  readonly tradedProfitableUsd: bigint;
}

/** Reads the sums of a pool from its row. */
export function poolWalletsOf(pools: RowTable, pool: number): PoolWallets {
  return {
    wallets: pools.number(pool, FIELD.wallets),
    organicWallets: pools.number(pool, FIELD.organicWallets),
    organicVolumeUsd: wideSum(pools, pool, FIELD.organicVolumeUsd),
    tradedOrganicUsd: wideSum(pools, pool, FIELD.tradedOrganicUsd),
    tradedProfitableUsd: wideSum(pools, pool, FIELD.tradedProfitableUsd),
    holdWallets: pools.number(pool, FIELD.holdWallets),
    holdConstantNs: wideSum(pools, pool, FIELD.holdConstantNs),
    holdSlopeE15: wideSum(pools, pool, FIELD.holdSlopeE15),
    gapWallets: pools.number(pool, FIELD.gapWallets),
    gapNs: wideSum(pools, pool, FIELD.gapNs),
  };
}

/** Adds to one of the counts of a pool, which must not become negative. */
export function addToCount(
  pools: RowTable,
  pool: number,
  field: 'wallets' | 'programTraders' | 'organicWallets' | 'holdWallets' | 'gapWallets',
  amount: number,
): void {
  if (amount === 0) return;
  pools.setNumber(pool, FIELD[field], pools.number(pool, FIELD[field]) + amount);
}
