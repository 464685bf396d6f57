import type { ProgramLayout } from '../transaction/program-layout.ts';
import { createEventLayout } from './pump-create-event.ts';
import { creatorEventLayouts } from './pump-creator-change.ts';
import { migrationEventLayout } from './pump-migration-event.ts';
import { completeEventLayout, postCompleteBuyEventLayout } from './pump-pool-part.ts';
import { sweepEventLayout } from './pump-sweep.ts';
import { tradeEventLayout } from './pump-trade-event.ts';

const TRADE_ACCOUNTS = {
  fee_recipient: 1,
  mint: 2,
  bonding_curve: 3,
  associated_bonding_curve: 4,
  associated_user: 5,
  user: 6,
};
const TRADE_V2_ACCOUNTS = {
  base_mint: 1,
  fee_recipient: 6,
  bonding_curve: 10,
  associated_base_bonding_curve: 11,
  associated_quote_bonding_curve: 12,
  user: 13,
  associated_base_user: 14,
  associated_quote_user: 15,
};
/** Without a fee recipient: the fees stay on the curve. */
const TRADE_V3_ACCOUNTS = {
  base_mint: 1,
  bonding_curve: 5,
  associated_base_bonding_curve: 6,
  associated_quote_bonding_curve: 7,
  user: 8,
  associated_base_user: 9,
  associated_quote_user: 10,
};
const SWEEP_ACCOUNTS = {
  bonding_curve: 7,
  associated_quote_bonding_curve: 8,
};

/**
 * The part of program 6EF8rrec… that the pump decoder relies on, from its first published IDL to
 * the newest.
 */
export const pumpLayout = {
  instructions: {
    create: {
      discriminator: '181ec828051c0777',
      accounts: { mint: 0, bonding_curve: 2, user: 7, token_program: 9 },
    },
    create_v2: {
      discriminator: 'd6904cec5f8b31b4',
      accounts: { mint: 0, bonding_curve: 2, user: 5, token_program: 7 },
    },
    buy: { discriminator: '66063d1201daebea', accounts: TRADE_ACCOUNTS },
    buy_exact_sol_in: { discriminator: '38fc74089edfcd5f', accounts: TRADE_ACCOUNTS },
    sell: { discriminator: '33e685a4017f83ad', accounts: TRADE_ACCOUNTS },
    buy_v2: { discriminator: 'b817ee6167c5d33d', accounts: TRADE_V2_ACCOUNTS },
    buy_exact_quote_in_v2: { discriminator: 'c2ab1c46684d5b2f', accounts: TRADE_V2_ACCOUNTS },
    sell_v2: { discriminator: '5df6823ce7e940b2', accounts: TRADE_V2_ACCOUNTS },
    buy_v3: { discriminator: '07051dc4f5176550', accounts: TRADE_V3_ACCOUNTS },
    buy_exact_quote_in_v3: { discriminator: 'e1f7501ed5b38488', accounts: TRADE_V3_ACCOUNTS },
    sell_v3: { discriminator: '1c92de7726c469d5', accounts: TRADE_V3_ACCOUNTS },
    multi_hop_curve_swap: { discriminator: 'e19a7516d756f667', accounts: { user: 3 } },
    sweep_protocol_fee: { discriminator: '0830be07b644b7e5', accounts: SWEEP_ACCOUNTS },
    sweep_creator_fee: { discriminator: '20f6bf3408c949ba', accounts: SWEEP_ACCOUNTS },
    set_creator: { discriminator: 'fe94ff70cf8eaaa5', accounts: {} },
    set_metaplex_creator: { discriminator: '8a60aed93055c5f6', accounts: {} },
    migrate_bonding_curve_creator: { discriminator: '577c34bf3426d6e8', accounts: {} },
    admin_set_creator: { discriminator: '4519ab8e39ef0d04', accounts: {} },
    admin_cto: { discriminator: '7d7ed6864de5bc59', accounts: {} },
    migrate: {
      discriminator: '9beae792ec9ea21e',
      accounts: { mint: 2, bonding_curve: 3, associated_bonding_curve: 4, pool: 9 },
    },
    migrate_v2: {
      discriminator: 'bbcb121fceedfe29',
      accounts: { base_mint: 2, bonding_curve: 4, associated_base_bonding_curve: 5, pool: 10 },
    },
  },
  ignoredInstructions: {
    add_quote_control_mint: '020e3d8aaa8e0e5f',
    add_quote_mint: '6f79153828185ed1',
    admin_set_idl_authority: '08d960e79068c005',
    admin_update_token_incentives: 'd10b7357d5177ccc',
    claim_cashback: '253a237ebe35e4c5',
    claim_cashback_v2: '7af3cc415e741d37',
    claim_token_incentives: '1004471ccc01281b',
    close_user_volume_accumulator: 'f945a4da9667548a',
    collect_creator_fee: '1416567bc61cdb84',
    collect_creator_fee_v2: 'cf118af204221338',
    distribute_creator_fees: 'a572670079cef751',
    distribute_creator_fees_v2: 'ffcb134ff444089f',
    distribute_fee_to_holders: '623691610246ad2b',
    extend_account: 'ea66c2cb96483ee5',
    get_minimum_distributable_fee: '75e17fca865f4423',
    init_user_volume_accumulator: '5e06ca73ff60e8b7',
    initialize: 'afaf6d1f0d989bed',
    initialize_quote_control: 'ef49f5add1b15442',
    remove_quote_control_mint: 'df07fd1a51a5daa6',
    remove_quote_mint: 'b141df2658d19e9b',
    set_max_curve_depth: '209a98db8e6cdaa5',
    set_mayhem_virtual_params: '3da9bcbf99952a61',
    set_params: '1beab2349302bb8d',
    set_quote_control_admin: '3e4fa1d3a5aad6d2',
    set_quote_control_mint_reserves: '74dc6b53bf2c2049',
    set_quote_control_reserves_admin: 'a1c3dea5e165c03e',
    set_reserved_fee_recipients: '6faca2e87259d58e',
    set_virtual_quote_reserves: '6587bf6809581460',
    sync_user_volume_accumulator: '561fc057a3574fee',
    toggle_cashback_enabled: '7367e0ffbd5956c3',
    toggle_create_v2: '1cffe6f0ac6bcbab',
    toggle_mayhem_mode: '01096fd0641fffa3',
    update_buyback_config: 'fbe0ab92a01a71e9',
    update_creator_fee_config: '3dafa0f9424288af',
    update_global_authority: 'e3b54ac4d01561d5',
    update_holder_reward_config: 'e1fc4204c723ec10',
    withdraw: 'b712469c946da122',
  },
  events: {
    TradeEvent: tradeEventLayout,
    CreateEvent: createEventLayout,
    CompleteEvent: completeEventLayout,
    PostCompleteBuyEvent: postCompleteBuyEventLayout,
    SweepBondingCurveFeeEvent: sweepEventLayout,
    CompletePumpAmmMigrationEvent: migrationEventLayout,
    ...creatorEventLayouts,
  },
  ignoredEvents: {
    AddQuoteControlMintEvent: 'a4af574a582d213e',
    AdminSetIdlAuthorityEvent: 'f53b46224bb96d5c',
    AdminUpdateTokenIncentivesEvent: '93fa6c78f71d43de',
    ClaimCashbackEvent: 'e2d6f62107f293e5',
    ClaimTokenIncentivesEvent: '4facf631cd5bcee8',
    CloseUserVolumeAccumulatorEvent: '929fbdac925838f4',
    CollectCreatorFeeEvent: '7a027f010ebf0caf',
    DistributeCreatorFeesEvent: 'a537817004b3ca28',
    DistributeFeeToHoldersEvent: 'e3bed7ceb0b4a584',
    ExtendAccountEvent: '6161d7905d92167c',
    InitUserVolumeAccumulatorEvent: '86240d48e86582d8',
    MinimumDistributableFeeEvent: 'a8d884efebb63134',
    RemoveQuoteControlMintEvent: '2e21568600d5d130',
    ReservedFeeRecipientsEvent: '2bbcfa12dd4bbb5f',
    SetParamsEvent: 'dfc39ff63e308f83',
    SetQuoteControlAdminEvent: '4af88d45ca511ef7',
    SetQuoteControlMintReservesEvent: 'a943276d6686b6e8',
    SetQuoteControlReservesAdminEvent: '43fbb3b6575ca921',
    SyncUserVolumeAccumulatorEvent: 'c57aa77c74515bff',
    UpdateCreatorFeeConfigEvent: '98c67c7c6af67fbf',
    UpdateGlobalAuthorityEvent: 'b6c3892a23cecff7',
    UpdateMayhemVirtualParamsEvent: '757be4b6a1a8dcd6',
  },
} satisfies ProgramLayout;
