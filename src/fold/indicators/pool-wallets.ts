import type { Address } from '../../model/units.ts';
import type { HoldSums } from './hold-time.ts';
import type { GapSums } from './trade-frequency.ts';

/** A pool's traders: where their rows begin, and sums over the organic ones. */
export interface PoolWallets extends HoldSums, GapSums {
  readonly pool: Address;
  /** Of the pool's address, in rows. */
  readonly id: number;
  readonly baseDecimals: number;
  /** Wallets with a swap of their own here; each has a row. */
  wallets: number;
  /** One more than the row of the newest wallet, 0 for none. */
  firstRow: number;
  organicWallets: number;
  organicVolumeUsd: bigint;
  /** Organic wallets that held something, and their terms (hold-time.ts). */
  holdWallets: number;
  holdConstantNs: bigint;
  holdSlopeE15: bigint;
  /** Organic wallets that traded twice or more, and their gaps (trade-frequency.ts). */
  gapWallets: number;
  gapNs: bigint;
}

export function newPoolWallets(pool: Address, id: number, baseDecimals: number): PoolWallets {
  return {
    pool,
    id,
    baseDecimals,
    wallets: 0,
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
