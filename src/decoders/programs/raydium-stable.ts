/**
 * Raydium's stable-asset pools, program 5quBtoiQ…. Swaps have the accounts of its first pools, plus
 * an account for the curve's model and without the target orders. Amounts that an instruction
 * fetched from the pool's own orders on the market are not a leg of a trade. Liquidity is not read.
 */
import { swapOnlyDecoder } from '../legs/swap-only.ts';

const ACCOUNTS = { pool: 1, vaults: [4, 5], userAccounts: [15, 16], user: 17 } as const;

/** `swap_base_in` and `swap_base_out`. */
export const raydiumStable = swapOnlyDecoder({
  name: 'raydium_stable',
  programId: '5quBtoiQqxF9Jv6KYKctB59NT3gtJD2Y65kdnB1Uev3h',
  swaps: [
    { tag: '09', ...ACCOUNTS },
    { tag: '0b', ...ACCOUNTS },
  ],
  tagBytes: 1,
  countsUserTransfersOnly: true,
});
