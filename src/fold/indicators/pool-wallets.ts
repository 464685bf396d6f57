import type { Address } from '../../model/units.ts';
import type { HoldSums } from './hold-time.ts';
import type { GapSums } from './trade-frequency.ts';

/** The traders of a pool: the head of their row list, and sums over the organic ones. */
export interface PoolWallets extends HoldSums, GapSums {
  readonly pool: Address;
  /** Address id of the pool, as stored in rows. */
  readonly id: number;
  readonly baseDecimals: number;
  /** Number of wallets that swapped here; each has a row. */
  wallets: number;
  /** Number of traders that are not wallets and never were in a swap of this pool. */
  programTraders: number;
  /** Row of the newest wallet plus one, 0 for none. */
  firstRow: number;
  organicWallets: number;
  organicVolumeUsd: bigint;
  /** Organic wallets with a hold term, and the sums of these terms (hold-time.ts). */
  holdWallets: number;
  holdConstantNs: bigint;
  holdSlopeE15: bigint;
  /** Organic wallets that traded at least twice, and the sum of their gaps (trade-frequency.ts). */
  gapWallets: number;
  gapNs: bigint;
}

export function newPoolWallets(pool: Address, id: number, baseDecimals: number): PoolWallets {
  return {
    pool,
    id,
    baseDecimals,
    wallets: 0,
    programTraders: 0,
    firstRow: 0,
    organicWallets: 0,
    organicVolumeUsd: 0n,
    holdWallets: 0,
    holdConstantNs: 0n,
    holdSlopeE15: 0n,
    gapWallets: 0,
    gapNs: 0n,
  };
}
