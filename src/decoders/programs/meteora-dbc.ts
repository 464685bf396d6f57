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
import { isSelfEvent } from '../transaction/discriminator.ts';
import {
  accountsOf,
  eventTable,
  instructionTable,
  type ProgramLayout,
} from '../transaction/program-layout.ts';
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

export const meteoraDbcLayout = {
  instructions: {
    swap: { discriminator: 'f8c69e91e17587c8', accounts: SWAP_ACCOUNTS },
    swap2: { discriminator: '414b3f4ceb5b5b88', accounts: SWAP_ACCOUNTS },
    swap2_with_transfer_hook: { discriminator: 'b75d992818e6c297', accounts: SWAP_ACCOUNTS },
    initialize_virtual_pool_with_spl_token: {
      discriminator: '8c55d7b06636684f',
      accounts: { ...LAUNCH_ACCOUNTS, token_program: 12 },
    },
    initialize_virtual_pool_with_token2022: {
      discriminator: 'a976334e916edc9b',
      accounts: { ...LAUNCH_ACCOUNTS, token_program: 10 },
    },
    initialize_virtual_pool_with_token2022_transfer_hook: {
      discriminator: 'b60de9b12a918702',
      accounts: { ...LAUNCH_ACCOUNTS, token_program: 11 },
    },
    migrate_meteora_damm: {
      discriminator: '1b013016b43f76d9',
      accounts: {
        virtual_pool: 0,
        pool: 4,
        token_a_mint: 7,
        a_token_vault: 11,
        b_token_vault: 12,
        base_vault: 17,
        quote_vault: 18,
      },
    },
    migration_damm_v2: {
      discriminator: '9ca9e66735e45040',
      accounts: {
        virtual_pool: 0,
        pool: 4,
        base_mint: 13,
        token_a_vault: 15,
        token_b_vault: 16,
        base_vault: 17,
        quote_vault: 18,
      },
    },
  },
  ignoredInstructions: {
    claim_creator_trading_fee: '52dcfabd03556b2d',
    claim_creator_trading_fee2: 'eef7d55e6e91588e',
    claim_partner_pool_creation_fee: 'faee1a048b0a65f8',
    claim_protocol_fee: 'a5e4853063f9ff21',
    claim_protocol_fee2: 'ebc23645410aec70',
    claim_protocol_pool_creation_fee: '72cd53bcf0991936',
    claim_trading_fee: '08ec5931987db151',
    claim_trading_fee2: '54bf473209a237c1',
    close_claim_protocol_fee_operator: '082957235030791a',
    close_operator_account: 'ab09d54a7817031d',
    create_config: 'c9cff3724b6f2fbd',
    create_config_with_transfer_hook: 'd825013958e21929',
    create_locker: 'a75a899a4b2f1154',
    create_operator_account: 'dd40f695f099e5a3',
    create_partner_metadata: 'c0a8eabfbce2e3ff',
    create_virtual_pool_metadata: '2d61bb67fe6d7c86',
    creator_withdraw_surplus: 'a50389071c864c50',
    migrate_meteora_damm_claim_lp_token: '8b85021e5b917f9a',
    // The pool's own `lock`, which it calls, emits the event.
    migrate_meteora_damm_lock_lp_token: 'b137ee9dfb58a52a',
    migration_damm_v2_create_metadata: '6dbd1324c3b7de52',
    migration_meteora_damm_create_metadata: '2f5e7e73dde2c285',
    partner_withdraw_surplus: 'a8ad4864c962265c',
    transfer_pool_creator: '1407a9213a93a621',
    withdraw_leftover: '14c6caedebf3b742',
    withdraw_migration_fee: 'ed8e2d178106dea2',
    zap_protocol_fee: 'd59bbb2238b65bf0',
  },
  events: {
    EvtSwap2: {
      discriminator: 'bd4233a826507599',
      fields: [
        'pool',
        'config',
        'trade_direction',
        'has_referral',
        'swap_parameters',
        'swap_result',
      ],
    },
    EvtSwap2WithTransferHook: {
      discriminator: '863ba8785e3372e7',
      fields: [
        'pool',
        'config',
        'trade_direction',
        'has_referral',
        'swap_parameters',
        'swap_result',
      ],
    },
    EvtCurveComplete: { discriminator: 'e5e756549c864b18', fields: [] },
    EvtCurveCompleteWithTransferHook: { discriminator: '3b2f6dcd0d1f2c9f', fields: [] },
  },
  ignoredEvents: {
    EvtClaimCreatorTradingFee: '9ae4d7ca859bd68a',
    EvtClaimPoolCreationFee: '956f952c8840af3e',
    EvtClaimProtocolFee: 'baf44bfbbc0d1921',
    EvtClaimProtocolFee2: 'bb854209cda1540d',
    EvtClaimProtocolLiquidityMigrationFee: '51a8741fa1561b23',
    EvtClaimTradingFee: '1a5375f05cca70fe',
    EvtCloseClaimFeeOperator: '6f2725376ed8c217',
    EvtCloseTokenBadge: '3cd92252b70a59bc',
    EvtCreateClaimFeeOperator: '1506997844741cb1',
    EvtCreateConfig: '83cfb4aeb449a536',
    EvtCreateConfigV2: 'a34a42bb77c31a90',
    EvtCreateConfigV2WithTransferHook: 'b6518704272e84fd',
    EvtCreateMeteoraMigrationMetadata: '63a7853fd68faf8b',
    EvtCreatorWithdrawSurplus: '9849150f4257359d',
    EvtInitializePool: 'e432f655cb428625',
    EvtInitializePoolWithTransferHook: 'd589a435c14a0f6e',
    EvtPartnerClaimPoolCreationFee: 'aedf2c96916259c3',
    EvtPartnerMetadata: 'c87f06370d200896',
    EvtPartnerWithdrawMigrationFee: 'b5697f4308bb7839',
    EvtPartnerWithdrawSurplus: 'c3389809e8482316',
    EvtSwap: '1b3c15d58aaabb93',
    EvtUpdatePoolCreator: '6be1a5ed5b9ed5dc',
    EvtVirtualPoolMetadata: 'bc12484cc35b264a',
    EvtWithdrawLeftover: 'bfbd688f6f9c5ee5',
    EvtWithdrawMigrationFee: '1acb5455a11764d6',
  },
} satisfies ProgramLayout;

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
