/**
 * Raydium constant-product pools, program CPMMoo8L…, and program DRaycpLY…, another deployment of
 * the same code.
 *
 * Swaps, deposits and withdrawals are read from the transfers between the instruction and the two
 * vaults. The program's own events are written to the log, which may be truncated, and are not
 * needed. `initialize` creates a pool with its first liquidity; `initialize_with_permission` does
 * the same with another account paying for the creator.
 */

import type { Instruction } from '../../model/instruction.ts';
import type { Venue } from '../../model/program.ts';
import type { Address } from '../../model/units.ts';
import { type DecodeResult, type Decoder, IGNORED, resultOf, unknown } from '../legs/decoder.ts';
import { readLiquidity, readPoolCreated } from '../legs/liquidity-legs.ts';
import { readSwap } from '../legs/swap-legs.ts';
import { anchorLayout } from '../transaction/anchor-layout.ts';
import { accountsOf, instructionTable } from '../transaction/program-layout.ts';
import type { TransactionView } from '../transaction/transaction-view.ts';

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

const INSTRUCTIONS = instructionTable(raydiumCpmmLayout);

export const raydiumCpmm = cpmm('raydium_cpmm', 'CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C');
export const raydiumCpmmClone = cpmm(
  'raydium_cpmm_clone',
  'DRaycpLY18LhpbydsBWbVJtxpNv9oXPgjRSfpF2bWpYb',
);

function cpmm(venue: Venue, programId: string): Decoder {
  return {
    name: venue,
    programId: programId as Address,
    isVenue: true,
    decode(instruction, view) {
      const name = INSTRUCTIONS.get(instruction.data);
      switch (name) {
        case 'swap_base_input':
        case 'swap_base_output':
          return decodeSwap(venue, instruction, view);
        case 'deposit':
        case 'withdraw':
          return decodeLiquidity(venue, instruction, view);
        case 'initialize':
        case 'initialize_with_permission':
          return decodeInitialize(venue, name, instruction, view);
        case 'ignored':
          return IGNORED;
        default:
          return unknown(instruction.data, 8);
      }
    },
  };
}

function decodeSwap(venue: Venue, instruction: Instruction, view: TransactionView): DecodeResult {
  const at = accountsOf(instruction, raydiumCpmmLayout.instructions.swap_base_input);
  const reading = readSwap(view, instruction, {
    venue,
    pool: at.pool_state,
    vaults: [at.input_vault, at.output_vault],
    user: at.payer,
    userAccounts: [at.input_token_account, at.output_token_account],
  });
  return resultOf(reading);
}

function decodeLiquidity(
  venue: Venue,
  instruction: Instruction,
  view: TransactionView,
): DecodeResult {
  const at = accountsOf(instruction, raydiumCpmmLayout.instructions.deposit);
  const reading = readLiquidity(view, instruction, {
    venue,
    pool: at.pool_state,
    vaults: [at.token_0_vault, at.token_1_vault],
    provider: at.owner,
    lpMint: at.lp_mint,
  });
  return resultOf(reading);
}

function decodeInitialize(
  venue: Venue,
  name: 'initialize' | 'initialize_with_permission',
  instruction: Instruction,
  view: TransactionView,
): DecodeResult {
  const at = accountsOf(instruction, raydiumCpmmLayout.instructions[name]);
  const reading = readPoolCreated(view, instruction, {
    venue,
    pool: at.pool_state,
    vaults: [at.token_0_vault, at.token_1_vault],
    provider: at.creator,
    lpMint: at.lp_mint,
  });
  return resultOf(reading);
}
