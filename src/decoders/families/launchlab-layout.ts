import { anchorLayout } from '../transaction/anchor-layout.ts';
import { borshRecord } from '../transaction/borsh-record.ts';

const TRADE_ACCOUNTS = {
  payer: 0,
  pool_state: 4,
  user_base_token: 5,
  user_quote_token: 6,
  base_vault: 7,
  quote_vault: 8,
};
const INITIALIZE_ACCOUNTS = {
  creator: 1,
  pool_state: 5,
  base_mint: 6,
  quote_mint: 7,
  base_vault: 8,
  quote_vault: 9,
  base_token_program: 11,
};

const TRADE_START = {
  pool_state: 'pubkey',
  total_base_sell: 'u64',
  virtual_base: 'u64',
  virtual_quote: 'u64',
  real_base_before: 'u64',
  real_quote_before: 'u64',
  real_base_after: 'u64',
  real_quote_after: 'u64',
  amount_in: 'u64',
  amount_out: 'u64',
  protocol_fee: 'u64',
  platform_fee: 'u64',
} as const;
/** The last two are enumerations. */
const TRADE_END = { share_fee: 'u64', trade_direction: 'u8', pool_status: 'u8' } as const;

/** A TradeEvent from before the program had a creator fee, which was inserted in the middle. */
export const firstTradeRecord = borshRecord({ ...TRADE_START, ...TRADE_END });

/** The interface of Raydium's launchpad. */
export const launchlabLayout = anchorLayout({
  instructions: {
    buy_exact_in: TRADE_ACCOUNTS,
    buy_exact_out: TRADE_ACCOUNTS,
    sell_exact_in: TRADE_ACCOUNTS,
    sell_exact_out: TRADE_ACCOUNTS,
    initialize: INITIALIZE_ACCOUNTS,
    initialize_v2: INITIALIZE_ACCOUNTS,
    initialize_with_token_2022: { ...INITIALIZE_ACCOUNTS, base_token_program: 10 },
    migrate_to_amm: {
      base_mint: 1,
      amm_pool: 13,
      amm_base_vault: 17,
      amm_quote_vault: 18,
      pool_state: 23,
    },
    migrate_to_cpswap: {
      base_mint: 1,
      cpswap_pool: 5,
      cpswap_base_vault: 8,
      cpswap_quote_vault: 9,
      pool_state: 17,
    },
  },
  ignoredInstructions: [
    'claim_creator_fee',
    'claim_platform_fee',
    'claim_platform_fee_from_vault',
    'claim_vested_token',
    'close_platform_allow_config',
    'close_platform_curve_rule',
    'collect_fee',
    'collect_migrate_fee',
    'create_config',
    'create_platform_allow_config',
    'create_platform_config',
    'create_platform_curve_rule',
    'create_platform_vesting_account',
    'create_vesting_account',
    'remove_platform_curve_param',
    'remove_platform_curve_rule',
    'update_config',
    'update_platform_config',
    'update_platform_curve_param',
    'update_platform_curve_rule',
  ],
  events: {
    TradeEvent: { ...TRADE_START, creator_fee: 'u64', ...TRADE_END },
  },
  ignoredEvents: ['ClaimVestedEvent', 'CreateVestingEvent', 'PoolCreateEvent'],
});
