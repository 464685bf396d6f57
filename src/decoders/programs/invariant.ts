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
import { accountsOf, instructionTable, type ProgramLayout } from '../transaction/program-layout.ts';
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
export const invariantLayout = {
  instructions: {
    swap: { discriminator: 'f8c69e91e17587c8', accounts: SWAP_ACCOUNTS },
    create_position: { discriminator: '30d7c59960cbb485', accounts: CREATE_ACCOUNTS },
    remove_position: { discriminator: 'db18ec6e8a508106', accounts: REMOVE_ACCOUNTS },
  },
  ignoredInstructions: {
    change_fee_receiver: '5c0ef1983a5cbc39',
    change_protocol_fee: '10fcfd9f30f22054',
    claim_fee: 'a9204f8988e84689',
    create_fee_tier: '969e5572db4bd45b',
    create_pool: 'e992d18ecf6840bc',
    create_position_list: '87a5535eaf189504',
    create_state: 'd6d3d14f6b69f7de',
    create_tick: 'e39ec8a87a688551',
    initialize_oracle: '90df8378c4fdb563',
    transfer_position_ownership: '63c2a6a2acb62de4',
    update_seconds_per_liquidity: 'bd8d23815639cddb',
    withdraw_protocol_fee: '9ec99ebd215da267',
  },
  events: {},
  ignoredEvents: {},
} satisfies ProgramLayout;

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
