import { anchorLayout } from '../transaction/anchor-layout.ts';

const SWAP_ACCOUNTS = {
  payer: 0,
  pool_state: 2,
  input_token_account: 3,
  output_token_account: 4,
  input_vault: 5,
  output_vault: 6,
};
const OPEN_POSITION_ACCOUNTS = { payer: 0, pool_state: 5, token_vault_0: 12, token_vault_1: 13 };
const INCREASE_ACCOUNTS = { nft_owner: 0, pool_state: 2, token_vault_0: 9, token_vault_1: 10 };
const DECREASE_ACCOUNTS = { nft_owner: 0, pool_state: 3, token_vault_0: 5, token_vault_1: 6 };

/**
 * The interface of Raydium's concentrated-liquidity program, which PancakeSwap's fork shares and
 * Byreal's extends.
 */
export const clmmLayout = anchorLayout({
  instructions: {
    swap: SWAP_ACCOUNTS,
    swap_v2: SWAP_ACCOUNTS,
    swap_router_base_in: { payer: 0 },
    open_position: OPEN_POSITION_ACCOUNTS,
    open_position_v2: OPEN_POSITION_ACCOUNTS,
    open_position_with_token22_nft: {
      payer: 0,
      pool_state: 4,
      token_vault_0: 11,
      token_vault_1: 12,
    },
    increase_liquidity: INCREASE_ACCOUNTS,
    increase_liquidity_v2: INCREASE_ACCOUNTS,
    decrease_liquidity: DECREASE_ACCOUNTS,
    decrease_liquidity_v2: DECREASE_ACCOUNTS,
    create_pool: { pool_creator: 0, pool_state: 2, token_vault_0: 5, token_vault_1: 6 },
  },
  ignoredInstructions: [
    'close_position',
    'collect_fund_fee',
    'collect_protocol_fee',
    'collect_remaining_rewards',
    'create_amm_config',
    'create_operation_account',
    'create_support_mint_associated',
    'initialize_reward',
    'set_reward_params',
    'transfer_reward_owner',
    'update_amm_config',
    'update_operation_account',
    'update_pool_status',
    'update_reward_infos',
  ],
  events: {},
  ignoredEvents: [],
});
