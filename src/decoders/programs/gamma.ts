/**
 * GooseFX GAMMA pools, program GAMMA7me…: Raydium's constant-product program with one more swap
 * instruction, and the same account order for all three. Its liquidity has no LP token and is not
 * read.
 */
import { swapOnlyDecoder } from '../legs/swap-only.ts';

const ACCOUNTS = { user: 0, pool: 3, userAccounts: [4, 5], vaults: [6, 7] } as const;

/**
 * The tags are Anchor's hashes of `swap_base_input`, `swap_base_output` and the oracle's
 * `_base_input`.
 */
export const gamma = swapOnlyDecoder({
  name: 'gamma',
  programId: 'GAMMA7meSFWaBXF25oSUgmGRwaW6sCMFLmBNiMSdbHVT',
  swaps: [
    { tag: '8fbe5adac41e33de', ...ACCOUNTS },
    { tag: '37d96256a34ab4ad', ...ACCOUNTS },
    { tag: 'ef52c0bba01adfdf', ...ACCOUNTS },
  ],
  tagBytes: 8,
});
