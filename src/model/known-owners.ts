import { SYSTEM_PROGRAM } from './program.ts';
import type { Address } from './units.ts';

/** Owners without a private key: tokens they hold are out of circulation. */
export const BURN_ADDRESSES: ReadonlySet<Address> = new Set([
  '1nc1nerator11111111111111111111111111111111' as Address,
  SYSTEM_PROGRAM,
]);

/**
 * Authorities that own the vaults of all pools of their program. Curves, pump_amm and CLMM pools
 * own their vaults themselves.
 */
export const POOL_AUTHORITIES: ReadonlySet<Address> = new Set([
  // Raydium AMM v4.
  '5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1' as Address,
  // Raydium CPMM.
  'GpMZbSM2GgvTKHJirzeGfMFoaZ8UR2X7F4v8vHTvxFbL' as Address,
  // Raydium LaunchLab.
  'WLHv2UAZm6z4KyaaELi5pjdbJh6RESMva1Rnn8pJVVh' as Address,
  // Meteora DAMM v2.
  'HLnpSz9h2S4hiLQ43rnSD9XkcUThA7B8hQMKmDaiTLcC' as Address,
  // Meteora DBC.
  'FhVo3mqL8PW5pH5U2CN4XE33DokiyZnUwuGpH2hmHLuM' as Address,
  // Boop.
  'GVVUi6DaocSEAp8ATnXFAPNF5irCWjCvmPCzoaGAf5eJ' as Address,
  // Invariant.
  'J4uBbeoWpZE8fH58PM1Fp9n9K6f1aThyeVCyRdJbaXqt' as Address,
]);
