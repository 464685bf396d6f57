/**
 * Raydium constant-product pools, program CPMMoo8L…, and program DRaycpLY…, another deployment of
 * the same code.
 *
 * Swaps, deposits and withdrawals are read from the transfers between the instruction and the two
 * vaults. The program's own events are written to the log, which may be truncated, and are not
 * needed. `initialize` creates a pool with its first liquidity; `initialize_with_permission` does
 * the same with another account paying for the creator.
 */

import type { Venue } from '../../model/program.ts';
import { liquidity, poolCreated, swap } from '../legs/pool-readers.ts';
import { venueDecoder } from '../legs/program-decoder.ts';
import { anchorLayout } from '../transaction/anchor-layout.ts';

const SWAP_ACCOUNTS = {
  payer: 0,
  pool_state: 3,
  input_token_account: 4,
  output_token_account: 5,
  input_vault: 6,
  output_vault: 7,
};
const LIQUIDITY_ACCOUNTS = {
  owner: 0,
  pool_state: 2,
  token_0_vault: 6,
  token_1_vault: 7,
  lp_mint: 12,
};
const INITIALIZE_ACCOUNTS = {
  creator: 0,
  pool_state: 3,
  lp_mint: 6,
  token_0_vault: 10,
  token_1_vault: 11,
};

/**
 * `initialize_with_permission` is newer than the interface file; it is from Raydium's published
 * client.
 */
const INITIALIZE_WITH_PERMISSION_ACCOUNTS = {
  creator: 1,
  pool_state: 4,
  lp_mint: 7,
  token_0_vault: 11,
  token_1_vault: 12,
};

export const raydiumCpmmLayout = anchorLayout({
  instructions: {
    swap_base_input: SWAP_ACCOUNTS,
    swap_base_output: SWAP_ACCOUNTS,
    deposit: LIQUIDITY_ACCOUNTS,
    withdraw: LIQUIDITY_ACCOUNTS,
    initialize: INITIALIZE_ACCOUNTS,
    initialize_with_permission: INITIALIZE_WITH_PERMISSION_ACCOUNTS,
  },
  ignoredInstructions: [
    'close_permission_pda',
    'collect_fund_fee',
    'collect_protocol_fee',
    'create_amm_config',
    'create_permission_pda',
    'update_amm_config',
    'update_pool_status',
  ],
  events: {},
  ignoredEvents: [],
});

const SWAP = {
  pool: 'pool_state',
  vaults: ['input_vault', 'output_vault'],
  user: 'payer',
  userAccounts: ['input_token_account', 'output_token_account'],
} as const;
const POOL = {
  pool: 'pool_state',
  vaults: ['token_0_vault', 'token_1_vault'],
  lpMint: 'lp_mint',
} as const;

export const raydiumCpmm = cpmm('raydium_cpmm', 'CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C');
export const raydiumCpmmClone = cpmm(
  'raydium_cpmm_clone',
  'DRaycpLY18LhpbydsBWbVJtxpNv9oXPgjRSfpF2bWpYb',
);

function cpmm(name: Venue, programId: string) {
  return venueDecoder({
    name,
    programId,
    layout: raydiumCpmmLayout,
    readers: {
      swap_base_input: swap(SWAP),
      swap_base_output: swap(SWAP),
      deposit: liquidity({ ...POOL, provider: 'owner' }),
      withdraw: liquidity({ ...POOL, provider: 'owner' }),
      initialize: poolCreated({ ...POOL, provider: 'creator' }),
      initialize_with_permission: poolCreated({ ...POOL, provider: 'creator' }),
    },
  });
}
