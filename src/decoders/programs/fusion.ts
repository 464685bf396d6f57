/**
 * DefiTuna's Fusion pools, program fUSioN9Y…: Orca's Whirlpools with limit orders in the pools.
 * Accounts have Whirlpool names here and, except for the swap's, the positions of the newer
 * Whirlpool instructions. Tokens in limit orders are in the pool's vaults without being liquidity
 * of a position; placing and settling an order is not a trade. Names and orders are from the
 * published source.
 */
import type { Address } from '../../model/units.ts';
import { whirlpoolDecoder } from '../families/whirlpool.ts';
import { whirlpoolLayout } from '../families/whirlpool-layout.ts';
import type { ProgramLayout } from '../transaction/program-layout.ts';

const { instructions: whirlpool } = whirlpoolLayout;

export const fusionLayout = {
  instructions: {
    swap: {
      ...whirlpool.swap,
      accounts: {
        token_authority: 3,
        whirlpool: 4,
        token_owner_account_a: 7,
        token_owner_account_b: 8,
        token_vault_a: 9,
        token_vault_b: 10,
      },
    },
    two_hop_swap: { ...whirlpool.two_hop_swap, accounts: whirlpool.two_hop_swap_v2.accounts },
    increase_liquidity: {
      ...whirlpool.increase_liquidity,
      accounts: whirlpool.increase_liquidity_v2.accounts,
    },
    decrease_liquidity: {
      ...whirlpool.decrease_liquidity,
      accounts: whirlpool.decrease_liquidity_v2.accounts,
    },
    initialize_pool: {
      ...whirlpool.initialize_pool,
      accounts: whirlpool.initialize_pool_v2.accounts,
    },
  },
  ignoredInstructions: {
    close_bundled_position: '2924d8f51b556743',
    close_limit_order: '4c7c800fd55725fa',
    close_position: '7b86510031446262',
    collect_fees: 'a498cf631eba13b6',
    collect_protocol_fees: '1643176296b246dc',
    convert_tick_array: '37378372b119c78e',
    decrease_limit_order: '759d3c674231a300',
    delete_position_bundle: '64196302d9ef7cad',
    delete_token_badge: '35924408127511b9',
    increase_limit_order: 'b19059ecfaba7d63',
    initialize_config: 'd07f1501c2bec446',
    initialize_fixed_tick_array: '490e553b7153d16b',
    initialize_position_bundle: '752df1951812c241',
    initialize_position_bundle_with_metadata: '5d7c10b3f98373f5',
    initialize_sparse_tick_array: '350570d25def7a96',
    initialize_tick_array: '0bbcc1d68d5b95b8',
    initialize_token_badge: 'fd4dcd5f1be059df',
    lock_position: 'e33e02fcf70aabb9',
    open_bundled_position: 'a9717eabd5acd431',
    open_limit_order: '9d20dab7471d1293',
    open_position: '87802f4d0f98f031',
    reset_pool_price: '5d9e9ebd832a0f16',
    set_clp_reward_rate: '4c50ec7bfcd7b717',
    set_collect_protocol_fees_authority: '22965df48be1e943',
    set_default_clp_reward_rate: '953832e4a11a7a91',
    set_default_order_protocol_fee_rate: '3cb777bbd33342ec',
    set_default_protocol_fee_rate: '6bcdf9e297235600',
    set_fee_authority: '1f013257ed656184',
    set_fee_rate: '35f38941088c9e06',
    set_order_protocol_fee_rate: 'ce96d1930a7ad0a6',
    set_position_range: 'c016b0b09b319960',
    set_protocol_fee_rate: '5f0704329a4f9c83',
    set_token_badge_authority: 'cfca0420cd4f0db2',
    update_fees: 'e11b0d064554acbf',
  },
  events: {},
  ignoredEvents: {},
} satisfies ProgramLayout;

export const fusion = whirlpoolDecoder(
  'fusion',
  'fUSioN9YKKSa3CUC2YUc4tPkHJ5Y6XW1yz8y6F7qWz9' as Address,
  fusionLayout,
  { two_hop_swap: 'two_hop_swap_v2' },
);
