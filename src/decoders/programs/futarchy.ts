/**
 * The spot pool of a MetaDAO futarchy, program FUTARELB…, in the account of the organisation itself.
 * The account order is that of a public client; no swap of it has been recorded. Trades on the
 * outcomes of a decision are in tokens of their own and are not read.
 */
import { swapOnlyDecoder } from '../legs/swap-only.ts';

/** The tag is Anchor's hash of `spot_swap`. */
export const futarchy = swapOnlyDecoder({
  name: 'futarchy',
  programId: 'FUTARELBfJfQ8RDGhg1wdhddq1odMAJUePHFuBYfUxKq',
  swaps: [{ tag: 'a7610ce7ed4ea6fb', pool: 0, userAccounts: [1, 2], vaults: [3, 4], user: 5 }],
  tagBytes: 8,
});
