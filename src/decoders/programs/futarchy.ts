/**
 * The spot pool of a MetaDAO futarchy, program FUTARELB…; the pool is the account of the
 * organisation itself. The account order is from a public client; no swap has been recorded. Trades
 * on the outcomes of a decision use their own tokens and are not read.
 */
import { swapOnlyDecoder } from '../legs/swap-only.ts';

/** The tag is Anchor's hash of `spot_swap`. */
export const futarchy = swapOnlyDecoder({
  name: 'futarchy',
  programId: 'FUTARELBfJfQ8RDGhg1wdhddq1odMAJUePHFuBYfUxKq',
  swaps: [{ tag: 'a7610ce7ed4ea6fb', pool: 0, userAccounts: [1, 2], vaults: [3, 4], user: 5 }],
  tagBytes: 8,
});
