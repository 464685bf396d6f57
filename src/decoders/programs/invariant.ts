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

import { liquidity, swap } from '../legs/pool-readers.ts';
import { type InstructionReader, venueDecoder, withAccounts } from '../legs/program-decoder.ts';
import { anchorLayout } from '../transaction/anchor-layout.ts';

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

const POOL = { pool: 'pool', vaults: ['reserve_x', 'reserve_y'] } as const;
const SWAP = swap({ ...POOL, user: 'owner', userAccounts: ['account_x', 'account_y'] });
const POSITION = liquidity({ ...POOL, provider: 'owner' });

export const invariant = venueDecoder({
  name: 'invariant',
  programId: 'HyaB3W9q6XdA5xwpU4XnSZV94htfmbmqJXZcEbRaJutt',
  layout: invariantLayout,
  readers: {
    swap: eitherForm(SWAP, LATER_SWAP_ACCOUNTS),
    create_position: eitherForm(POSITION, LATER_CREATE_ACCOUNTS),
    remove_position: eitherForm(POSITION, LATER_REMOVE_ACCOUNTS),
  },
});

/**
 * In the first form, the account at the position of the later form's last reserve is not a token
 * account.
 */
function eitherForm<Names extends string>(
  read: InstructionReader<Names>,
  later: Readonly<Record<Names | 'reserve_y', number>>,
): InstructionReader<Names> {
  return (call) => {
    const { instruction, view } = call;
    const isLater = view.tokenAccount(instruction.accountIndex(later.reserve_y)) !== null;
    return read(isLater ? withAccounts(call, later) : call);
  };
}
