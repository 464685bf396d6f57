/**
 * Meteora dynamic bonding curves, program dbcij3LW….
 *
 * Trades are read from the transfers between the instruction and the curve's two vaults; the
 * program's own events add the fee and show that a trade completed the curve. A launch mints the
 * whole supply into the base vault. A migration pays the vaults' tokens into a DAMM pool that it
 * creates by calling that program, whose decoder emits the pool; the amounts are the transfers from
 * vault to vault.
 */

import type { CurveComplete, Launch } from '../../model/chain-event.ts';
import type { Instruction } from '../../model/instruction.ts';
import type { Address } from '../../model/units.ts';
import { decodeDbcMigration } from '../families/meteora-dbc-migration.ts';
import { readMeteoraSwapFee, withMeteoraFee } from '../families/meteora-swap-fee.ts';
import {
  type DecodeResult,
  type Decoder,
  events,
  IGNORED,
  malformed,
  resultOf,
  unknown,
} from '../legs/decoder.ts';
import { mintedSupply } from '../legs/minted-supply.ts';
import { readSwap, reservesOf } from '../legs/swap-legs.ts';
import { anchorLayout } from '../transaction/anchor-layout.ts';
import { isSelfEvent } from '../transaction/discriminator.ts';
import { accountsOf, eventTable, instructionTable } from '../transaction/program-layout.ts';
import type { TransactionView } from '../transaction/transaction-view.ts';

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
    EvtSwap2: [
      'pool',
      'config',
      'trade_direction',
      'has_referral',
      'swap_parameters',
      'swap_result',
    ],
    EvtSwap2WithTransferHook: [
      'pool',
      'config',
      'trade_direction',
      'has_referral',
      'swap_parameters',
      'swap_result',
    ],
    EvtCurveComplete: [],
    EvtCurveCompleteWithTransferHook: [],
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

const INSTRUCTIONS = instructionTable(meteoraDbcLayout);
const EVENTS = eventTable(meteoraDbcLayout);

export const meteoraDbc: Decoder = {
  name: 'meteora_dbc',
  programId: 'dbcij3LWUppWqq96dh6gJWwBifmcGfLSB5D4DuSMaqN' as Address,
  isVenue: true,
  decode(instruction, view) {
    const { data } = instruction;
    if (isSelfEvent(data)) {
      return EVENTS.get(data, 8) === undefined ? unknown(data.subarray(8), 8) : IGNORED;
    }
    const kind = INSTRUCTIONS.get(data);
    const { instructions } = meteoraDbcLayout;
    switch (kind) {
      case 'swap':
      case 'swap2':
      case 'swap2_with_transfer_hook':
        return decodeSwap(instruction, view);
      case 'initialize_virtual_pool_with_spl_token':
      case 'initialize_virtual_pool_with_token2022':
      case 'initialize_virtual_pool_with_token2022_transfer_hook':
        return decodeLaunch(accountsOf(instruction, instructions[kind]), instruction, view);
      case 'migrate_meteora_damm': {
        const { token_a_mint, a_token_vault, b_token_vault, ...at } = accountsOf(
          instruction,
          instructions.migrate_meteora_damm,
        );
        const target = { base_mint: token_a_mint, vaults: [a_token_vault, b_token_vault] };
        return decodeDbcMigration({ ...at, ...target }, instruction, view);
      }
      case 'migration_damm_v2': {
        const { token_a_vault, token_b_vault, ...at } = accountsOf(
          instruction,
          instructions.migration_damm_v2,
        );
        return decodeDbcMigration(
          { ...at, vaults: [token_a_vault, token_b_vault] },
          instruction,
          view,
        );
      }
      case 'ignored':
        return IGNORED;
      default:
        return unknown(data, 8);
    }
  },
};

/**
 * Size of the fields before the swap result in EvtSwap2, and the number of fee shares at its end.
 */
const SWAP_RESULT_OFFSET = 2 * 32 + 2 + (8 + 8 + 1);
const FEE_SHARE_COUNT = 3;

/** The last buy of a curve also completes it. */
function decodeSwap(instruction: Instruction, view: TransactionView): DecodeResult {
  const { instructions, events: selfEvents } = meteoraDbcLayout;
  const at = accountsOf(instruction, instructions.swap);
  const data =
    view.selfEventOf(instruction, selfEvents.EvtSwap2.discriminator) ??
    view.selfEventOf(instruction, selfEvents.EvtSwap2WithTransferHook.discriminator);
  const fee = data && readMeteoraSwapFee(data, SWAP_RESULT_OFFSET, FEE_SHARE_COUNT);
  if (data !== null && fee === null) return malformed('swap event ends inside its fields');
  const reading = readSwap(view, instruction, {
    venue: 'meteora_dbc',
    pool: at.pool,
    vaults: [at.base_vault, at.quote_vault],
    isBaseFirst: true,
    user: at.payer,
    userAccounts: [at.input_token_account, at.output_token_account],
  });
  if (reading.status !== 'event') return resultOf(reading);
  const swap = withMeteoraFee(reading.event, fee);
  const completions = [
    selfEvents.EvtCurveComplete.discriminator,
    selfEvents.EvtCurveCompleteWithTransferHook.discriminator,
  ];
  const completes = completions.some((name) => view.selfEventOf(instruction, name) !== null);
  if (!completes) return events(swap);
  const complete: CurveComplete = {
    kind: 'curveComplete',
    outerIx: instruction.outerIx,
    innerIx: instruction.innerIx,
    venue: 'meteora_dbc',
    mint: swap.baseMint,
    pool: swap.pool,
  };
  return events(swap, complete);
}

/** Name and picture are set by the metadata instruction that the launch calls. */
function decodeLaunch(
  at: Readonly<Record<keyof typeof LAUNCH_ACCOUNTS | 'token_program', number>>,
  instruction: Instruction,
  view: TransactionView,
): DecodeResult {
  if (Math.min(...Object.values(at)) < 0) return malformed('too few accounts');
  const { keys } = view.transaction;
  const mint = keys.at(at.base_mint);
  const launch: Launch = {
    kind: 'launch',
    outerIx: instruction.outerIx,
    innerIx: instruction.innerIx,
    venue: 'meteora_dbc',
    mint,
    quoteMint: keys.at(at.quote_mint),
    pool: keys.at(at.pool),
    creator: keys.at(at.creator),
    tokenProgram: keys.at(at.token_program),
    supply: mintedSupply(view, instruction, mint),
    reserves: reservesOf(view, instruction, at.base_vault, at.quote_vault),
  };
  return events(launch);
}
