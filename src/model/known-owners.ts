import { SYSTEM_PROGRAM } from './program.ts';
import { type Address, asAddress } from './units.ts';

/** Owners without a private key: tokens they hold are out of circulation. */
export const BURN_ADDRESSES: ReadonlySet<Address> = new Set([
  asAddress('1nc1nerator11111111111111111111111111111111'),
  SYSTEM_PROGRAM,
]);

/**
 * Authorities that own the vaults of all pools of their program. Curves, pump_amm and CLMM pools
 * own their vaults themselves.
 */
export const POOL_AUTHORITIES: ReadonlySet<Address> = new Set([
  // Raydium AMM v4.
  asAddress('5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1'),
  // Raydium CPMM.
  asAddress('GpMZbSM2GgvTKHJirzeGfMFoaZ8UR2X7F4v8vHTvxFbL'),
  // Raydium LaunchLab.
  asAddress('WLHv2UAZm6z4KyaaELi5pjdbJh6RESMva1Rnn8pJVVh'),
  // Meteora DAMM v2.
  asAddress('HLnpSz9h2S4hiLQ43rnSD9XkcUThA7B8hQMKmDaiTLcC'),
  // Meteora DBC.
  asAddress('FhVo3mqL8PW5pH5U2CN4XE33DokiyZnUwuGpH2hmHLuM'),
  // Boop.
  asAddress('GVVUi6DaocSEAp8ATnXFAPNF5irCWjCvmPCzoaGAf5eJ'),
  // Invariant.
  asAddress('J4uBbeoWpZE8fH58PM1Fp9n9K6f1aThyeVCyRdJbaXqt'),
]);
