/**
 * DefiTuna's Fusion pools, program fUSioN9Y…: Orca's Whirlpools with limit orders in the pools.
 * Accounts have Whirlpool names here and, except for the swap's, the positions of the newer
 * Whirlpool instructions. Tokens in limit orders are in the pool's vaults without being liquidity
 * of a position; placing and settling an order is not a trade. Names and orders are from the
 * published source.
 */
import { whirlpoolReaders } from '../families/whirlpool.ts';
import { whirlpoolLayout } from '../families/whirlpool-layout.ts';
import { venueDecoder } from '../legs/program-decoder.ts';
import { anchorLayout } from '../transaction/anchor-layout.ts';

const { instructions: whirlpool } = whirlpoolLayout;

export const fusionLayout = anchorLayout({
  instructions: {
    swap: {
      token_authority: 3,
      whirlpool: 4,
      token_owner_account_a: 7,
      token_owner_account_b: 8,
      token_vault_a: 9,
      token_vault_b: 10,
    },
    two_hop_swap: whirlpool.two_hop_swap_v2.accounts,
    increase_liquidity: whirlpool.increase_liquidity_v2.accounts,
    decrease_liquidity: whirlpool.decrease_liquidity_v2.accounts,
    initialize_pool: whirlpool.initialize_pool_v2.accounts,
  },
  ignoredInstructions: [
    'close_bundled_position',
    'close_limit_order',
    'close_position',
    'collect_fees',
    'collect_protocol_fees',
    'convert_tick_array',
    'decrease_limit_order',
    'delete_position_bundle',
    'delete_token_badge',
    'increase_limit_order',
    'initialize_config',
    'initialize_fixed_tick_array',
    'initialize_position_bundle',
    'initialize_position_bundle_with_metadata',
    'initialize_sparse_tick_array',
    'initialize_tick_array',
    'initialize_token_badge',
    'lock_position',
    'open_bundled_position',
    'open_limit_order',
    'open_position',
    'reset_pool_price',
    'set_clp_reward_rate',
    'set_collect_protocol_fees_authority',
    'set_default_clp_reward_rate',
    'set_default_order_protocol_fee_rate',
    'set_default_protocol_fee_rate',
    'set_fee_authority',
    'set_fee_rate',
    'set_order_protocol_fee_rate',
    'set_position_range',
    'set_protocol_fee_rate',
    'set_token_badge_authority',
    'update_fees',
  ],
  events: {},
  ignoredEvents: [],
});

export const fusion = venueDecoder({
  name: 'fusion',
  programId: 'fUSioN9YKKSa3CUC2YUc4tPkHJ5Y6XW1yz8y6F7qWz9',
  layout: fusionLayout,
  readers: { ...whirlpoolReaders, two_hop_swap: whirlpoolReaders.two_hop_swap_v2 },
});
