/**
 * Meteora dynamic bonding curves, program dbcij3LW….
 *
 * Trades are read from the transfers between the instruction and the curve's two vaults; the
 * program's own events add the fee and show that a trade completed the curve. A launch mints the
 * whole supply into the base vault. A migration pays the vaults' tokens into a DAMM pool that it
 * creates by calling that program, whose decoder emits the pool; the amounts are the transfers from
 * vault to vault.
 */

import { decodeDbcMigration } from '../families/meteora-dbc-migration.ts';
import {
  type MeteoraSwapFee,
  meteoraSwapFee,
  swapAmounts,
  swapParameters,
  withMeteoraFee,
} from '../families/meteora-swap-fee.ts';
import { type DecodeResult, events, malformed, resultOf } from '../legs/decoder.ts';
import { completedBy, launch } from '../legs/launch-readers.ts';
import { swapAccounts } from '../legs/pool-readers.ts';
import { type ProgramCall, venueDecoder, withAllAccounts } from '../legs/program-decoder.ts';
import { readSwap } from '../legs/swap-legs.ts';
import { anchorLayout } from '../transaction/anchor-layout.ts';
import { readSelfEvent } from '../transaction/self-event.ts';

const SWAP_ACCOUNTS = {
  pool: 2,
  input_token_account: 3,
  output_token_account: 4,
  base_vault: 5,
  quote_vault: 6,
  base_mint: 7,
  payer: 9,
};
const LAUNCH_ACCOUNTS = {
  creator: 2,
  base_mint: 3,
  quote_mint: 4,
  pool: 5,
  base_vault: 6,
  quote_vault: 7,
};

const SWAP_EVENT = {
  pool: 'pubkey',
  config: 'pubkey',
  trade_direction: 'u8',
  has_referral: 'bool',
  swap_parameters: swapParameters,
  swap_result: { ...swapAmounts, trading_fee: 'u64', protocol_fee: 'u64', referral_fee: 'u64' },
} as const;

export const meteoraDbcLayout = anchorLayout({
  instructions: {
    swap: SWAP_ACCOUNTS,
    swap2: SWAP_ACCOUNTS,
    swap2_with_transfer_hook: SWAP_ACCOUNTS,
    initialize_virtual_pool_with_spl_token: { ...LAUNCH_ACCOUNTS, token_program: 12 },
    initialize_virtual_pool_with_token2022: { ...LAUNCH_ACCOUNTS, token_program: 10 },
    initialize_virtual_pool_with_token2022_transfer_hook: { ...LAUNCH_ACCOUNTS, token_program: 11 },
    migrate_meteora_damm: {
      virtual_pool: 0,
      pool: 4,
      token_a_mint: 7,
      a_token_vault: 11,
      b_token_vault: 12,
      base_vault: 17,
      quote_vault: 18,
    },
    migration_damm_v2: {
      virtual_pool: 0,
      pool: 4,
      base_mint: 13,
      token_a_vault: 15,
      token_b_vault: 16,
      base_vault: 17,
      quote_vault: 18,
    },
  },
  ignoredInstructions: [
    'claim_creator_trading_fee',
    'claim_creator_trading_fee2',
    'claim_partner_pool_creation_fee',
    'claim_protocol_fee',
    'claim_protocol_fee2',
    'claim_protocol_pool_creation_fee',
    'claim_trading_fee',
    'claim_trading_fee2',
    'close_claim_protocol_fee_operator',
    'close_operator_account',
    'create_config',
    'create_config_with_transfer_hook',
    'create_locker',
    'create_operator_account',
    'create_partner_metadata',
    'create_virtual_pool_metadata',
    'creator_withdraw_surplus',
    'migrate_meteora_damm_claim_lp_token',
    // The pool's own `lock`, which it calls, emits the event.
    'migrate_meteora_damm_lock_lp_token',
    'migration_damm_v2_create_metadata',
    'migration_meteora_damm_create_metadata',
    'partner_withdraw_surplus',
    'transfer_pool_creator',
    'withdraw_leftover',
    'withdraw_migration_fee',
    'zap_protocol_fee',
  ],
  events: {
    EvtSwap2: SWAP_EVENT,
    EvtSwap2WithTransferHook: SWAP_EVENT,
    EvtCurveComplete: {},
    EvtCurveCompleteWithTransferHook: {},
  },
  ignoredEvents: [
    'EvtClaimCreatorTradingFee',
    'EvtClaimPoolCreationFee',
    'EvtClaimProtocolFee',
    'EvtClaimProtocolFee2',
    'EvtClaimProtocolLiquidityMigrationFee',
    'EvtClaimTradingFee',
    'EvtCloseClaimFeeOperator',
    'EvtCloseTokenBadge',
    'EvtCreateClaimFeeOperator',
    'EvtCreateConfig',
    'EvtCreateConfigV2',
    'EvtCreateConfigV2WithTransferHook',
    'EvtCreateMeteoraMigrationMetadata',
    'EvtCreatorWithdrawSurplus',
    'EvtInitializePool',
    'EvtInitializePoolWithTransferHook',
    'EvtPartnerClaimPoolCreationFee',
    'EvtPartnerMetadata',
    'EvtPartnerWithdrawMigrationFee',
    'EvtPartnerWithdrawSurplus',
    'EvtSwap',
    'EvtUpdatePoolCreator',
    'EvtVirtualPoolMetadata',
    'EvtWithdrawLeftover',
    'EvtWithdrawMigrationFee',
  ],
});

const SWAP = {
  pool: 'pool',
  vaults: ['base_vault', 'quote_vault'],
  isBaseFirst: true,
  user: 'payer',
  userAccounts: ['input_token_account', 'output_token_account'],
} as const;

/** Name and picture are set by the metadata instruction that the launch calls. */
const LAUNCH = launch({
  mint: 'base_mint',
  pool: 'pool',
  creator: 'creator',
  tokenProgram: 'token_program',
  baseVault: 'base_vault',
  quote: { mint: 'quote_mint', vault: 'quote_vault' },
});

export const meteoraDbc = venueDecoder({
  name: 'meteora_dbc',
  programId: 'dbcij3LWUppWqq96dh6gJWwBifmcGfLSB5D4DuSMaqN',
  layout: meteoraDbcLayout,
  readers: {
    swap: decodeSwap,
    swap2: decodeSwap,
    swap2_with_transfer_hook: decodeSwap,
    initialize_virtual_pool_with_spl_token: LAUNCH,
    initialize_virtual_pool_with_token2022: LAUNCH,
    initialize_virtual_pool_with_token2022_transfer_hook: LAUNCH,
    migrate_meteora_damm: withAllAccounts((call) => {
      const { token_a_mint: base_mint, a_token_vault, b_token_vault } = call.at;
      const at = { ...call.at, base_mint };
      return decodeDbcMigration({ ...call, at }, [a_token_vault, b_token_vault]);
    }),
    migration_damm_v2: withAllAccounts((call) =>
      decodeDbcMigration(call, [call.at.token_a_vault, call.at.token_b_vault]),
    ),
  },
});

/** The last buy of a curve also completes it. */
function decodeSwap(call: ProgramCall<keyof typeof SWAP_ACCOUNTS>): DecodeResult {
  const { instruction, view } = call;
  const event =
    readSelfEvent(view, instruction, EVENTS.EvtSwap2) ??
    readSelfEvent(view, instruction, EVENTS.EvtSwap2WithTransferHook);
  if (event === 'short') return malformed('swap event ends inside its fields');
  const reading = readSwap(view, instruction, swapAccounts(call, SWAP));
  if (reading.status !== 'event') return resultOf(reading);
  const swap = withMeteoraFee(reading.event, event && feeOf(event.swap_result));
  const completions = [EVENTS.EvtCurveComplete, EVENTS.EvtCurveCompleteWithTransferHook];
  const isLast = completions.some(
    ({ discriminator }) => view.selfEventOf(instruction, discriminator) !== null,
  );
  return isLast ? events(swap, completedBy(swap)) : events(swap);
}

const { events: EVENTS } = meteoraDbcLayout;

function feeOf(result: SwapResult): MeteoraSwapFee {
  const { trading_fee, protocol_fee, referral_fee } = result;
  return meteoraSwapFee(result, trading_fee, protocol_fee, referral_fee);
}

type SwapResult = NonNullable<ReturnType<typeof EVENTS.EvtSwap2.record.read>>['swap_result'];
