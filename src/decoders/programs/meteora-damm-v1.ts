/**
 * Meteora dynamic AMM pools (DAMM v1), program Eo7WjKq6….
 *
 * A pool's tokens are in the vaults of Meteora's vault program, one for each mint and shared by all
 * pools of that mint, and partly lent out. Legs are the transfers below the pool's instruction,
 * which the vault program makes on its behalf. A vault's balance is not the pool's, so reserves
 * stay unknown, and the first liquidity of a new pool is the amount moved. Events are written to
 * the log and are not needed. `lock` locks LP tokens permanently; only their fees can be withdrawn.
 */

import { type DecodeResult, events, IGNORED, malformed } from '../legs/decoder.ts';
import { toLpLock } from '../legs/lp-lock.ts';
import { liquidity, poolCreated, swap } from '../legs/pool-readers.ts';
import { type ProgramCall, venueDecoder, withAllAccounts } from '../legs/program-decoder.ts';
import { deltaOf } from '../legs/swap-legs.ts';
import { anchorLayout } from '../transaction/anchor-layout.ts';

const LIQUIDITY_ACCOUNTS = { pool: 0, lp_mint: 1, a_token_vault: 9, b_token_vault: 10, user: 13 };
const INITIALIZE_ACCOUNTS = { pool: 0, lp_mint: 1, a_token_vault: 6, b_token_vault: 7, payer: 17 };
const CONFIG_INITIALIZE_ACCOUNTS = {
  pool: 0,
  lp_mint: 2,
  a_token_vault: 7,
  b_token_vault: 8,
  payer: 18,
};

/**
 * The interface file ends with version 0.4. Pools created by a configuration, and the last of the
 * ignored instructions, were added later and are known from public decoders of the program.
 */
export const meteoraDammV1Layout = anchorLayout({
  instructions: {
    swap: {
      pool: 0,
      user_source_token: 1,
      user_destination_token: 2,
      a_token_vault: 5,
      b_token_vault: 6,
      user: 12,
    },
    add_balance_liquidity: LIQUIDITY_ACCOUNTS,
    add_imbalance_liquidity: LIQUIDITY_ACCOUNTS,
    bootstrap_liquidity: LIQUIDITY_ACCOUNTS,
    remove_balance_liquidity: LIQUIDITY_ACCOUNTS,
    remove_liquidity_single_side: { ...LIQUIDITY_ACCOUNTS, user: 12 },
    initialize_permissionless_pool: INITIALIZE_ACCOUNTS,
    initialize_permissionless_pool_with_fee_tier: INITIALIZE_ACCOUNTS,
    lock: { pool: 0, owner: 3, escrow_vault: 5 },
    initialize_customizable_permissionless_constant_product_pool: INITIALIZE_ACCOUNTS,
    initialize_permissionless_constant_product_pool_with_config: CONFIG_INITIALIZE_ACCOUNTS,
    initialize_permissionless_constant_product_pool_with_config2: CONFIG_INITIALIZE_ACCOUNTS,
  },
  ignoredInstructions: [
    'claim_fee',
    'create_lock_escrow',
    'create_mint_metadata',
    'enable_or_disable_pool',
    'get_pool_info',
    // The new pool is empty and its vaults are not named; the first deposit bootstraps it.
    'initialize_permissioned_pool',
    'migrate_fee_account',
    'override_curve_param',
    'set_pool_fees',
    'transfer_admin',
    'close_config',
    'create_config',
    'partner_claim_fee',
    'set_whitelisted_vault',
    'update_activation_point',
    'withdraw_protocol_fees',
  ],
  events: {},
  ignoredEvents: [],
});

const POOL = {
  pool: 'pool',
  vaults: ['a_token_vault', 'b_token_vault'],
  areVaultsShared: true,
} as const;
const LIQUIDITY = liquidity({ ...POOL, lpMint: 'lp_mint', provider: 'user' });
const CREATED = poolCreated({ ...POOL, lpMint: 'lp_mint', provider: 'payer' });

export const meteoraDammV1 = venueDecoder({
  name: 'meteora_damm_v1',
  programId: 'Eo7WjKq67rjJQSZxS6z3YkapzY3eMj6Xy8X5EQVn5UaB',
  layout: meteoraDammV1Layout,
  readers: {
    swap: swap({
      ...POOL,
      user: 'user',
      userAccounts: ['user_source_token', 'user_destination_token'],
    }),
    add_balance_liquidity: LIQUIDITY,
    add_imbalance_liquidity: LIQUIDITY,
    bootstrap_liquidity: LIQUIDITY,
    remove_balance_liquidity: LIQUIDITY,
    remove_liquidity_single_side: LIQUIDITY,
    initialize_permissionless_pool: CREATED,
    initialize_permissionless_pool_with_fee_tier: CREATED,
    initialize_customizable_permissionless_constant_product_pool: CREATED,
    initialize_permissionless_constant_product_pool_with_config: CREATED,
    initialize_permissionless_constant_product_pool_with_config2: CREATED,
    lock: withAllAccounts(decodeLock),
  },
});

function decodeLock(call: ProgramCall<'pool' | 'owner' | 'escrow_vault'>): DecodeResult {
  const { at, instruction, view } = call;
  const locked = deltaOf(view.tokenMovementsUnder(instruction), at.escrow_vault);
  if (locked === 0n) return IGNORED;
  if (locked < 0n) return malformed('a lock that paid out');
  return events(toLpLock(call, { pool: at.pool, provider: at.owner }, locked, 'permanent'));
}
