/**
 * Invariant's concentrated pools, program HyaB3W9q….
 *
 * Swaps and positions are read from the transfers between the instruction and the two reserves. The
 * program has two forms of each instruction: since it accepts Token-2022 mints, a swap lists the
 * mints before the accounts and a position its payer, which shifts the following accounts. The form
 * is recognised by the position of the reserves, since the number of accounts varies with the
 * number of ticks. Pools are created empty and claimed fees were never liquidity: both instructions
 * are ignored.
 */

import type { Instruction } from '../../model/instruction.ts';
import type { Address } from '../../model/units.ts';
import { type DecodeResult, type Decoder, IGNORED, resultOf, unknown } from '../legs/decoder.ts';
import { readLiquidity } from '../legs/liquidity-legs.ts';
import { readSwap } from '../legs/swap-legs.ts';
import { anchorLayout } from '../transaction/anchor-layout.ts';
import { accountsOf, instructionTable } from '../transaction/program-layout.ts';
import type { TransactionView } from '../transaction/transaction-view.ts';

const SWAP_ACCOUNTS = {
  pool: 1,
  account_x: 3,
  account_y: 4,
  reserve_x: 5,
  reserve_y: 6,
  owner: 7,
};
const LATER_SWAP_ACCOUNTS = {
  pool: 1,
  account_x: 5,
  account_y: 6,
  reserve_x: 7,
  reserve_y: 8,
  owner: 9,
};
const CREATE_ACCOUNTS = { pool: 2, owner: 4, reserve_x: 12, reserve_y: 13 };
const LATER_CREATE_ACCOUNTS = { pool: 2, owner: 5, reserve_x: 13, reserve_y: 14 };
const REMOVE_ACCOUNTS = { pool: 4, owner: 8, reserve_x: 13, reserve_y: 14 };
const LATER_REMOVE_ACCOUNTS = { pool: 4, owner: 9, reserve_x: 14, reserve_y: 15 };

/** Names and order follow the first form of the program's interface. */
export const invariantLayout = anchorLayout({
  instructions: {
    swap: SWAP_ACCOUNTS,
    create_position: CREATE_ACCOUNTS,
    remove_position: REMOVE_ACCOUNTS,
  },
  ignoredInstructions: [
    'change_fee_receiver',
    'change_protocol_fee',
    'claim_fee',
    'create_fee_tier',
    'create_pool',
    'create_position_list',
    'create_state',
    'create_tick',
    'initialize_oracle',
    'transfer_position_ownership',
    'update_seconds_per_liquidity',
    'withdraw_protocol_fee',
  ],
  events: {},
  ignoredEvents: [],
});

const INSTRUCTIONS = instructionTable(invariantLayout);

export const invariant: Decoder = {
  name: 'invariant',
  programId: 'HyaB3W9q6XdA5xwpU4XnSZV94htfmbmqJXZcEbRaJutt' as Address,
  isVenue: true,
  decode(instruction, view) {
    switch (INSTRUCTIONS.get(instruction.data)) {
      case 'swap':
        return decodeSwap(instruction, view);
      case 'create_position':
        return decodePosition(instruction, view, CREATE_ACCOUNTS, LATER_CREATE_ACCOUNTS);
      case 'remove_position':
        return decodePosition(instruction, view, REMOVE_ACCOUNTS, LATER_REMOVE_ACCOUNTS);
      case 'ignored':
        return IGNORED;
      default:
        return unknown(instruction.data, 8);
    }
  },
};

function decodeSwap(instruction: Instruction, view: TransactionView): DecodeResult {
  const at = formOf(instruction, view, SWAP_ACCOUNTS, LATER_SWAP_ACCOUNTS);
  const reading = readSwap(view, instruction, {
    venue: 'invariant',
    pool: at.pool,
    vaults: [at.reserve_x, at.reserve_y],
    user: at.owner,
    userAccounts: [at.account_x, at.account_y],
  });
  return resultOf(reading);
}

function decodePosition(
  instruction: Instruction,
  view: TransactionView,
  first: typeof CREATE_ACCOUNTS,
  later: typeof CREATE_ACCOUNTS,
): DecodeResult {
  const at = formOf(instruction, view, first, later);
  const reading = readLiquidity(view, instruction, {
    venue: 'invariant',
    pool: at.pool,
    vaults: [at.reserve_x, at.reserve_y],
    provider: at.owner,
    lpMint: -1,
  });
  return resultOf(reading);
}

/**
 * In the first form, the account at the position of the later form's last reserve is not a token
 * account.
 */
function formOf<Names extends string>(
  instruction: Instruction,
  view: TransactionView,
  first: Readonly<Record<Names | 'reserve_y', number>>,
  later: Readonly<Record<Names | 'reserve_y', number>>,
): Record<Names | 'reserve_y', number> {
  const isLater = view.tokenAccount(instruction.accountIndex(later.reserve_y)) !== null;
  return accountsOf(instruction, { accounts: isLater ? later : first });
}
