import { anchorLayout } from '../transaction/anchor-layout.ts';
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
export const pumpLayout = anchorLayout({
  instructions: {
    create: { mint: 0, bonding_curve: 2, user: 7, token_program: 9 },
    create_v2: { mint: 0, bonding_curve: 2, user: 5, token_program: 7 },
    buy: TRADE_ACCOUNTS,
    buy_exact_sol_in: TRADE_ACCOUNTS,
    sell: TRADE_ACCOUNTS,
    buy_v2: TRADE_V2_ACCOUNTS,
    buy_exact_quote_in_v2: TRADE_V2_ACCOUNTS,
    sell_v2: TRADE_V2_ACCOUNTS,
    buy_v3: TRADE_V3_ACCOUNTS,
    buy_exact_quote_in_v3: TRADE_V3_ACCOUNTS,
    sell_v3: TRADE_V3_ACCOUNTS,
    multi_hop_curve_swap: { user: 3 },
    sweep_protocol_fee: SWEEP_ACCOUNTS,
    sweep_creator_fee: SWEEP_ACCOUNTS,
    set_creator: {},
    set_metaplex_creator: {},
    migrate_bonding_curve_creator: {},
    admin_set_creator: {},
    admin_cto: {},
    migrate: { mint: 2, bonding_curve: 3, associated_bonding_curve: 4, pool: 9 },
    migrate_v2: { base_mint: 2, bonding_curve: 4, associated_base_bonding_curve: 5, pool: 10 },
  },
  ignoredInstructions: [
    'add_quote_control_mint',
    'add_quote_mint',
    'admin_set_idl_authority',
    'admin_update_token_incentives',
    'claim_cashback',
    'claim_cashback_v2',
    'claim_token_incentives',
    'close_user_volume_accumulator',
    'collect_creator_fee',
    'collect_creator_fee_v2',
    'distribute_creator_fees',
    'distribute_creator_fees_v2',
    'distribute_fee_to_holders',
    'extend_account',
    'get_minimum_distributable_fee',
    'init_user_volume_accumulator',
    'initialize',
    'initialize_quote_control',
    'remove_quote_control_mint',
    'remove_quote_mint',
    'set_max_curve_depth',
    'set_mayhem_virtual_params',
    'set_params',
    'set_quote_control_admin',
    'set_quote_control_mint_reserves',
    'set_quote_control_reserves_admin',
    'set_reserved_fee_recipients',
    'set_virtual_quote_reserves',
    'sync_user_volume_accumulator',
    'toggle_cashback_enabled',
    'toggle_create_v2',
    'toggle_mayhem_mode',
    'update_buyback_config',
    'update_creator_fee_config',
    'update_global_authority',
    'update_holder_reward_config',
    'withdraw',
  ],
  events: {
    TradeEvent: tradeEventLayout,
    CreateEvent: createEventLayout,
    CompleteEvent: completeEventLayout,
    PostCompleteBuyEvent: postCompleteBuyEventLayout,
    SweepBondingCurveFeeEvent: sweepEventLayout,
    CompletePumpAmmMigrationEvent: migrationEventLayout,
    ...creatorEventLayouts,
  },
  ignoredEvents: [
    'AddQuoteControlMintEvent',
    'AdminSetIdlAuthorityEvent',
    'AdminUpdateTokenIncentivesEvent',
    'ClaimCashbackEvent',
    'ClaimTokenIncentivesEvent',
    'CloseUserVolumeAccumulatorEvent',
    'CollectCreatorFeeEvent',
    'DistributeCreatorFeesEvent',
    'DistributeFeeToHoldersEvent',
    'ExtendAccountEvent',
    'InitUserVolumeAccumulatorEvent',
    'MinimumDistributableFeeEvent',
    'RemoveQuoteControlMintEvent',
    'ReservedFeeRecipientsEvent',
    'SetParamsEvent',
    'SetQuoteControlAdminEvent',
    'SetQuoteControlMintReservesEvent',
    'SetQuoteControlReservesAdminEvent',
    'SyncUserVolumeAccumulatorEvent',
    'UpdateCreatorFeeConfigEvent',
    'UpdateGlobalAuthorityEvent',
    'UpdateMayhemVirtualParamsEvent',
  ],
});
