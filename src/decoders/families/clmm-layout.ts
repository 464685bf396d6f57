import type { ProgramLayout } from '../transaction/program-layout.ts';

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
export const clmmLayout = {
  instructions: {
    swap: { discriminator: 'f8c69e91e17587c8', accounts: SWAP_ACCOUNTS },
    swap_v2: { discriminator: '2b04ed0b1ac91e62', accounts: SWAP_ACCOUNTS },
    swap_router_base_in: {
      discriminator: '457d73daf5baf2c4',
      accounts: { payer: 0 },
    },
    open_position: { discriminator: '87802f4d0f98f031', accounts: OPEN_POSITION_ACCOUNTS },
    open_position_v2: { discriminator: '4db84ad67056f1c7', accounts: OPEN_POSITION_ACCOUNTS },
    open_position_with_token22_nft: {
      discriminator: '4dffae527d1dc92e',
      accounts: { payer: 0, pool_state: 4, token_vault_0: 11, token_vault_1: 12 },
    },
    increase_liquidity: { discriminator: '2e9cf3760dcdfbb2', accounts: INCREASE_ACCOUNTS },
    increase_liquidity_v2: { discriminator: '851d59df45eeb00a', accounts: INCREASE_ACCOUNTS },
    decrease_liquidity: { discriminator: 'a026d06f685b2c01', accounts: DECREASE_ACCOUNTS },
    decrease_liquidity_v2: { discriminator: '3a7fbc3e4f52c460', accounts: DECREASE_ACCOUNTS },
    create_pool: {
      discriminator: 'e992d18ecf6840bc',
      accounts: { pool_creator: 0, pool_state: 2, token_vault_0: 5, token_vault_1: 6 },
    },
  },
  ignoredInstructions: {
    close_position: '7b86510031446262',
    collect_fund_fee: 'a78a4e95dfc2067e',
    collect_protocol_fee: '8888fcddc2427e59',
    collect_remaining_rewards: '12eda6c52210d590',
    create_amm_config: '8934edd4d7756c68',
    create_operation_account: '3f5794216d230868',
    create_support_mint_associated: '11fb415c88f20ea9',
    initialize_reward: '5f87c0c4f281e644',
    set_reward_params: '7034a74b20c9d389',
    transfer_reward_owner: '07160c53f22b3079',
    update_amm_config: '313cae889a1c74c8',
    update_operation_account: '7f467728bce33d07',
    update_pool_status: '82576c062ee0757b',
    update_reward_infos: 'a3ace0340b9a6adf',
  },
  events: {},
  ignoredEvents: {},
} satisfies ProgramLayout;
