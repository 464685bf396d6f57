/**
 * Meteora dynamic AMM pools (DAMM v1), program Eo7WjKq6….
 *
 * A pool's tokens are in the vaults of Meteora's vault program, one for each mint and shared by all
 * pools of that mint, and partly lent out. Legs are the transfers below the pool's instruction,
 * which the vault program makes on its behalf. A vault's balance is not the pool's, so reserves
 * stay unknown, and the first liquidity of a new pool is the amount moved. Events are written to
 * the log and are not needed. `lock` locks LP tokens permanently; only their fees can be withdrawn.
 */

import type { Instruction } from '../../model/instruction.ts';
import type { Address, RawAmount } from '../../model/units.ts';
import {
  type DecodeResult,
  type Decoder,
  events,
  IGNORED,
  malformed,
  resultOf,
  unknown,
} from '../legs/decoder.ts';
import { type LiquidityAccounts, readLiquidity, readPoolCreated } from '../legs/liquidity-legs.ts';
import { deltaOf, readSwap } from '../legs/swap-legs.ts';
import { anchorLayout } from '../transaction/anchor-layout.ts';
import { accountsOf, instructionTable } from '../transaction/program-layout.ts';
import type { TransactionView } from '../transaction/transaction-view.ts';

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

const INSTRUCTIONS = instructionTable(meteoraDammV1Layout);

export const meteoraDammV1: Decoder = {
  name: 'meteora_damm_v1',
  programId: 'Eo7WjKq67rjJQSZxS6z3YkapzY3eMj6Xy8X5EQVn5UaB' as Address,
  isVenue: true,
  decode(instruction, view) {
    const kind = INSTRUCTIONS.get(instruction.data);
    const { instructions } = meteoraDammV1Layout;
    switch (kind) {
      case 'swap':
        return decodeSwap(instruction, view);
      case 'add_balance_liquidity':
      case 'add_imbalance_liquidity':
      case 'bootstrap_liquidity':
      case 'remove_balance_liquidity':
      case 'remove_liquidity_single_side': {
        const at = accountsOf(instruction, instructions[kind]);
        return decodeLiquidity(poolAccounts(at, at.user), instruction, view);
      }
      case 'initialize_permissionless_pool':
      case 'initialize_permissionless_pool_with_fee_tier':
      case 'initialize_customizable_permissionless_constant_product_pool':
      case 'initialize_permissionless_constant_product_pool_with_config':
      case 'initialize_permissionless_constant_product_pool_with_config2': {
        const at = accountsOf(instruction, instructions[kind]);
        return decodeInitialize(poolAccounts(at, at.payer), instruction, view);
      }
      case 'lock':
        return decodeLock(instruction, view);
      case 'ignored':
        return IGNORED;
      default:
        return unknown(instruction.data, 8);
    }
  },
};

function decodeSwap(instruction: Instruction, view: TransactionView): DecodeResult {
  const at = accountsOf(instruction, meteoraDammV1Layout.instructions.swap);
  const reading = readSwap(view, instruction, {
    venue: 'meteora_damm_v1',
    pool: at.pool,
    vaults: [at.a_token_vault, at.b_token_vault],
    user: at.user,
    userAccounts: [at.user_source_token, at.user_destination_token],
    areVaultsShared: true,
  });
  return resultOf(reading);
}

function poolAccounts(
  at: Readonly<Record<'pool' | 'lp_mint' | 'a_token_vault' | 'b_token_vault', number>>,
  provider: number,
): LiquidityAccounts {
  return {
    venue: 'meteora_damm_v1',
    pool: at.pool,
    vaults: [at.a_token_vault, at.b_token_vault],
    provider,
    lpMint: at.lp_mint,
    areVaultsShared: true,
  };
}

function decodeLiquidity(
  accounts: LiquidityAccounts,
  instruction: Instruction,
  view: TransactionView,
): DecodeResult {
  const reading = readLiquidity(view, instruction, accounts);
  return resultOf(reading);
}

function decodeInitialize(
  accounts: LiquidityAccounts,
  instruction: Instruction,
  view: TransactionView,
): DecodeResult {
  const reading = readPoolCreated(view, instruction, accounts);
  return resultOf(reading);
}

function decodeLock(instruction: Instruction, view: TransactionView): DecodeResult {
  const at = accountsOf(instruction, meteoraDammV1Layout.instructions.lock);
  if (at.escrow_vault < 0) return malformed('too few accounts');
  const locked = deltaOf(view.tokenMovementsUnder(instruction), at.escrow_vault);
  if (locked === 0n) return IGNORED;
  if (locked < 0n) return malformed('a lock that paid out');
  return events({
    kind: 'lpLock',
    outerIx: instruction.outerIx,
    innerIx: instruction.innerIx,
    pool: view.transaction.keys.at(at.pool),
    provider: view.transaction.keys.at(at.owner),
    amountRaw: locked as RawAmount,
    lockKind: 'permanent',
    unlockTimeMs: null,
  });
}
