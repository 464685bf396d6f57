/**
 * 1DEX pools, program DEXYosS6…. The account order is from routers and recorded swaps. Both fees
 * leave the vault that received the payment.
 */
import { swapOnlyDecoder } from '../legs/swap-only.ts';

/** The tag is Anchor's hash of `swap_exact_amount_in`. */
export const onedex = swapOnlyDecoder({
  name: 'onedex',
  programId: 'DEXYosS6oEGvk8uCDayvwEZz4qEyDJRf9nFgYCaqPMTm',
  swaps: [{ tag: '0897f54caccb9027', pool: 1, vaults: [3, 4], user: 5, userAccounts: [6, 7] }],
  tagBytes: 8,
});
