import type { ProgramLayout } from '../transaction/program-layout.ts';

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

/** The interface of Raydium's launchpad. */
export const launchlabLayout = {
  instructions: {
    buy_exact_in: { discriminator: 'faea0d7bd59c13ec', accounts: TRADE_ACCOUNTS },
    buy_exact_out: { discriminator: '18d3742869039938', accounts: TRADE_ACCOUNTS },
    sell_exact_in: { discriminator: '9527de9bd37c981a', accounts: TRADE_ACCOUNTS },
    sell_exact_out: { discriminator: '5fc8472208090ba6', accounts: TRADE_ACCOUNTS },
    initialize: { discriminator: 'afaf6d1f0d989bed', accounts: INITIALIZE_ACCOUNTS },
    initialize_v2: { discriminator: '4399af27da102620', accounts: INITIALIZE_ACCOUNTS },
    initialize_with_token_2022: {
      discriminator: '25be7ede2c9aab11',
      accounts: { ...INITIALIZE_ACCOUNTS, base_token_program: 10 },
    },
    migrate_to_amm: {
      discriminator: 'cf52c091fecf91df',
      accounts: {
        base_mint: 1,
        amm_pool: 13,
        amm_base_vault: 17,
        amm_quote_vault: 18,
        pool_state: 23,
      },
    },
    migrate_to_cpswap: {
      discriminator: '885cc8671cda908c',
      accounts: {
        base_mint: 1,
        cpswap_pool: 5,
        cpswap_base_vault: 8,
        cpswap_quote_vault: 9,
        pool_state: 17,
      },
    },
  },
  ignoredInstructions: {
    claim_creator_fee: '1a618acb84ab8dfc',
    claim_platform_fee: '9c27d0874ced3d48',
    claim_platform_fee_from_vault: '75f1c6a8f8da501d',
    claim_vested_token: '3121681ebd9d4f23',
    close_platform_allow_config: '52cd24d81006f0d7',
    close_platform_curve_rule: 'c272522d8858a99f',
    collect_fee: '3cadf767045d8230',
    collect_migrate_fee: 'ffba96dfeb76c9ba',
    create_config: 'c9cff3724b6f2fbd',
    create_platform_allow_config: '4547a807d6fa6b66',
    create_platform_config: 'b05ac4affd71dc14',
    create_platform_curve_rule: '9447b4887a903b15',
    create_platform_vesting_account: '9247ad4562130f6a',
    create_vesting_account: '81b2020dd9ace6da',
    remove_platform_curve_param: '1b1e3ea95de01891',
    remove_platform_curve_rule: 'ec4d9a8a20917fdb',
    update_config: '1d9efcbf0a53db63',
    update_platform_config: 'c33c4c81922d438f',
    update_platform_curve_param: '8a908afadc800439',
    update_platform_curve_rule: '5a64cec43675788b',
  },
  events: {
    TradeEvent: {
      discriminator: 'bddb7fd34ee661ee',
      fields: [
        'pool_state',
        'total_base_sell',
        'virtual_base',
        'virtual_quote',
        'real_base_before',
        'real_quote_before',
        'real_base_after',
        'real_quote_after',
        'amount_in',
        'amount_out',
        'protocol_fee',
        'platform_fee',
        'creator_fee',
        'share_fee',
        'trade_direction',
        'pool_status',
      ],
    },
  },
  ignoredEvents: {
    ClaimVestedEvent: '15c2725778d3e220',
    CreateVestingEvent: '96980bb334d2bf7d',
    PoolCreateEvent: '97d7e20976a173ae',
  },
} satisfies ProgramLayout;
