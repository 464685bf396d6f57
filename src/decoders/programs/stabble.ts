/**
 * Stabble's stable-asset pools, program swapNyd8…, and weighted pools, program swapFpHZ….
 *
 * A swap itself pays into a token account of Stabble's vault, and pays out of another by calling
 * the vault's program, vo1tWgqZ…, which also pays the beneficiary's fee from it; both are legs of
 * the pool. All pools share the accounts of one vault. Account orders are from the published
 * source; the newer swap lists the mints before the token accounts. Deposits and withdrawals take a
 * varying number of tokens and are not read.
 */
import type { Venue } from '../../model/program.ts';
import type { SwapForm } from '../legs/swap-form.ts';
import { swapOnlyDecoder } from '../legs/swap-only.ts';

const SWAP: SwapForm = {
  tag: 'f8c69e91e17587c8',
  user: 0,
  userAccounts: [1, 2],
  vaults: [3, 4],
  pool: 6,
};
const SWAP_V2: SwapForm = {
  tag: '2b04ed0b1ac91e62',
  user: 0,
  userAccounts: [3, 4],
  vaults: [5, 6],
  pool: 8,
};

export const stabbleStable = stabble(
  'stabble_stable',
  'swapNyd8XiQwJ6ianp9snpu4brUqFxadzvHebnAXjJZ',
);
export const stabbleWeighted = stabble(
  'stabble_weighted',
  'swapFpHZwjELNnjvThjajtiVmkz3yPQEHjLtka2fwHW',
);

function stabble(name: Venue, programId: string) {
  return swapOnlyDecoder({
    name,
    programId,
    swaps: [SWAP, SWAP_V2],
    tagBytes: 8,
    areVaultsShared: true,
  });
}
