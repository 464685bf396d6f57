/**
 * Meteora DAMM v2 pools, program cpamdpZC….
 *
 * Swaps, positions and first liquidity are what the transfers below the instruction did to the
 * pool's two vaults. The program's own events add the fee of a swap, where they tell in which token
 * it was taken, and how much of a position's liquidity was locked, which moves no token: forever, or
 * vesting until a point that the record leaves open (slots or seconds, as the pool was set up).
 */

import { BorshReader } from '../../model/borsh-reader.ts';
import type { LpLock } from '../../model/chain-event.ts';
import type { Instruction } from '../../model/instruction.ts';
import type { Address, RawAmount } from '../../model/units.ts';
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
import { type LiquidityAccounts, readLiquidity, readPoolCreated } from '../legs/liquidity-legs.ts';
import { readSwap } from '../legs/swap-legs.ts';
import { isSelfEvent } from '../transaction/discriminator.ts';
import {
  accountsOf,
  eventTable,
  instructionTable,
  type ProgramLayout,
} from '../transaction/program-layout.ts';
import { EVENT_FIELDS_OFFSET, type TransactionView } from '../transaction/transaction-view.ts';

const SWAP_ACCOUNTS = {
  pool: 1,
  input_token_account: 2,
  output_token_account: 3,
  token_a_vault: 4,
  token_b_vault: 5,
  payer: 8,
};
const REMOVE_ACCOUNTS = { pool: 1, token_a_vault: 5, token_b_vault: 6, owner: 10 };

export const meteoraDammV2Layout = {
  instructions: {
    swap: { discriminator: 'f8c69e91e17587c8', accounts: SWAP_ACCOUNTS },
    swap2: { discriminator: '414b3f4ceb5b5b88', accounts: SWAP_ACCOUNTS },
    add_liquidity: {
      discriminator: 'b59d59438fb63448',
      accounts: { pool: 0, token_a_vault: 4, token_b_vault: 5, owner: 9 },
    },
    remove_liquidity: { discriminator: '5055d14818ceb16c', accounts: REMOVE_ACCOUNTS },
    remove_all_liquidity: { discriminator: '0a333d2370691855', accounts: REMOVE_ACCOUNTS },
    initialize_pool: {
      discriminator: '5fb40aac54aee828',
      accounts: { creator: 0, pool: 6, token_a_vault: 10, token_b_vault: 11 },
    },
    initialize_pool_with_dynamic_config: {
      discriminator: '955248c5fdfc440f',
      accounts: { creator: 0, pool: 7, token_a_vault: 11, token_b_vault: 12 },
    },
    initialize_customizable_pool: {
      discriminator: '14a1f118bdddb402',
      accounts: { creator: 0, pool: 5, token_a_vault: 9, token_b_vault: 10 },
    },
    permanent_lock_position: {
      discriminator: 'a5b07d06e7abbad5',
      accounts: { pool: 0, owner: 3 },
    },
    lock_position: { discriminator: 'e33e02fcf70aabb9', accounts: { pool: 0, owner: 4 } },
  },
  ignoredInstructions: {
    claim_partner_fee: '61ce27695e5e7e94',
    claim_position_fee: 'b4269a118521a2d3',
    claim_protocol_fee: 'a5e4853063f9ff21',
    claim_protocol_fee2: 'ebc23645410aec70',
    claim_reward: '955fb5f25e5a9ea2',
    close_config: '9109489d5f7d3d55',
    close_operator_account: 'ab09d54a7817031d',
    close_position: '7b86510031446262',
    close_token_badge: '6c92566eb3fe0a68',
    create_config: 'c9cff3724b6f2fbd',
    create_dynamic_config: '51fb7a4e4239d052',
    create_operator_account: 'dd40f695f099e5a3',
    create_position: '30d7c59960cbb485',
    create_token_badge: '58ce005b3caf9776',
    dummy_ix: 'ea5fb0b9072a239f',
    fix_config_fee_params: '261ed851fab1f3fe',
    fix_pool_fee_params: '846251c42c3a78c1',
    fix_pool_layout_version: 'a69e452351a7c8d7',
    fund_reward: 'bc32f9a55d97263f',
    initialize_reward: '5f87c0c4f281e644',
    lock_inner_position: '481331cc127a175a',
    refresh_vesting: '095ed80e74ccf700',
    set_pool_status: '705787df53cc8435',
    split_position: 'acf1dd8aa11dfd2a',
    split_position2: 'dd93e4cf8cd41177',
    update_delegate_permission: 'afa5384000fb592f',
    update_pool_fees: '76d9cbb33c084659',
    update_reward_duration: '8aaec4a9d5ebfe6b',
    update_reward_funder: 'd31c3020d7a02317',
    withdraw_dead_liquidity_reward: '7963e05bb20e1684',
    withdraw_ineligible_reward: '94ce2ac3f7316708',
    zap_protocol_fee: 'd59bbb2238b65bf0',
  },
  events: {
    EvtSwap2: {
      discriminator: 'bd4233a826507599',
      fields: [
        'pool',
        'trade_direction',
        'collect_fee_mode',
        'has_referral',
        'params',
        'swap_result',
      ],
    },
    EvtPermanentLockPosition: {
      discriminator: '918fa2dada50430b',
      fields: ['pool', 'position', 'lock_liquidity_amount'],
    },
    EvtLockPosition: {
      discriminator: 'a83f6c53db5202c8',
      fields: [
        'pool',
        'position',
        'owner',
        'vesting',
        'cliff_point',
        'period_frequency',
        'cliff_unlock_liquidity',
        'liquidity_per_period',
        'number_of_period',
      ],
    },
  },
  ignoredEvents: {
    EvtClaimPartnerFee: '76634d0ae2010157',
    EvtClaimPositionFee: 'c6b6b734610c3138',
    EvtClaimProtocolFee: 'baf44bfbbc0d1921',
    EvtClaimReward: 'da5693c8ebbcd7e7',
    EvtCloseConfig: '241eef2d3a840e05',
    EvtClosePosition: '149190448f8ed6b2',
    EvtCreateConfig: '83cfb4aeb449a536',
    EvtCreateDynamicConfig: 'e7c50da4f8d58598',
    EvtCreatePosition: '9c0f77c61db5dd37',
    EvtCreateTokenBadge: '8d788674221c72a0',
    EvtFundReward: '68e9ed7ac7bf7955',
    EvtInitializePool: 'e432f655cb428625',
    EvtInitializeReward: '815bbc03f634b9f9',
    EvtLiquidityChange: 'c5ab4e7fe0d3570d',
    EvtSetPoolStatus: '64d54a035f5be492',
    EvtSplitPosition2: 'a520cbae4864e967',
    EvtUpdatePoolFees: '4ca5f66666d99c2c',
    EvtUpdateRewardDuration: '958741e781994139',
    EvtUpdateRewardFunder: '4c9ad00d2873f692',
    EvtWithdrawIneligibleReward: 'f8d7b84e1fb4b3a8',
    // Sent by versions behind the interface file's; named by the client that Meteora publishes.
    EvtClaimProtocolFee2: 'bb854209cda1540d',
    EvtSplitPosition3: 'e875beda55a2cf4e',
    EvtUpdateDelegatePermission: '42bc4b9796e8575d',
    EvtWithdrawDeadLiquidityReward: 'e44296c32a3ea30d',
    // Sent by versions before the interface file's; known from the program's source.
    EvtAddLiquidity: 'aff2089d1ef7b9a9',
    EvtCloseClaimFeeOperator: '6f2725376ed8c217',
    EvtCreateClaimFeeOperator: '1506997844741cb1',
    EvtRemoveLiquidity: '572e5862af60225b',
    EvtSplitPosition: 'b68a2afe1b5e52dd',
    EvtSwap: '1b3c15d58aaabb93',
  },
} satisfies ProgramLayout;

const INSTRUCTIONS = instructionTable(meteoraDammV2Layout);
const EVENTS = eventTable(meteoraDammV2Layout);

export const meteoraDammV2: Decoder = {
  name: 'meteora_damm_v2',
  programId: 'cpamdpZCGKUy5JxQXB4dcpGPiikHawvSWAd6mEn1sGG' as Address,
  isVenue: true,
  decode(instruction, view) {
    const { data } = instruction;
    if (isSelfEvent(data)) {
      return EVENTS.get(data, 8) === undefined ? unknown(data.subarray(8), 8) : IGNORED;
    }
    const kind = INSTRUCTIONS.get(data);
    const { instructions } = meteoraDammV2Layout;
    switch (kind) {
      case 'swap':
      case 'swap2':
        return decodeSwap(instruction, view);
      case 'add_liquidity':
      case 'remove_liquidity':
      case 'remove_all_liquidity': {
        const at = accountsOf(instruction, instructions[kind]);
        return decodeLiquidity(poolAccounts(at, at.owner), instruction, view);
      }
      case 'initialize_pool':
      case 'initialize_pool_with_dynamic_config':
      case 'initialize_customizable_pool': {
        const at = accountsOf(instruction, instructions[kind]);
        return decodeInitialize(poolAccounts(at, at.creator), instruction, view);
      }
      case 'permanent_lock_position':
      case 'lock_position':
        return decodeLock(kind, instruction, view);
      case 'ignored':
        return IGNORED;
      default:
        return unknown(data, 8);
    }
  },
};

/** What stands before the swap result in EvtSwap2, and the shares of the fee that end the result. */
const SWAP_RESULT_OFFSET = 32 + 3 + (8 + 8 + 1);
const FEE_SHARE_COUNT = 4;

function decodeSwap(instruction: Instruction, view: TransactionView): DecodeResult {
  const { instructions, events: selfEvents } = meteoraDammV2Layout;
  const at = accountsOf(instruction, instructions.swap);
  const data = view.selfEventOf(instruction, selfEvents.EvtSwap2.discriminator);
  const fee = data && readMeteoraSwapFee(data, SWAP_RESULT_OFFSET, FEE_SHARE_COUNT);
  if (data !== null && fee === null) return malformed('swap event ends inside its fields');
  const reading = readSwap(view, instruction, {
    venue: 'meteora_damm_v2',
    pool: at.pool,
    vaults: [at.token_a_vault, at.token_b_vault],
    user: at.payer,
    userAccounts: [at.input_token_account, at.output_token_account],
  });
  if (reading.status !== 'event') return resultOf(reading);
  return events(withMeteoraFee(reading.event, fee));
}

function poolAccounts(
  at: Readonly<Record<'pool' | 'token_a_vault' | 'token_b_vault', number>>,
  provider: number,
): LiquidityAccounts {
  return {
    venue: 'meteora_damm_v2',
    pool: at.pool,
    vaults: [at.token_a_vault, at.token_b_vault],
    provider,
    lpMint: -1,
  };
}

function decodeLiquidity(
  accounts: LiquidityAccounts,
  instruction: Instruction,
  view: TransactionView,
): DecodeResult {
  return resultOf(readLiquidity(view, instruction, accounts));
}

function decodeInitialize(
  accounts: LiquidityAccounts,
  instruction: Instruction,
  view: TransactionView,
): DecodeResult {
  return resultOf(readPoolCreated(view, instruction, accounts));
}

function decodeLock(
  kind: 'permanent_lock_position' | 'lock_position',
  instruction: Instruction,
  view: TransactionView,
): DecodeResult {
  const { instructions, events: selfEvents } = meteoraDammV2Layout;
  const at = accountsOf(instruction, instructions[kind]);
  if (at.owner < 0) return malformed('too few accounts');
  const isPermanent = kind === 'permanent_lock_position';
  const event = isPermanent ? selfEvents.EvtPermanentLockPosition : selfEvents.EvtLockPosition;
  const data = view.selfEventOf(instruction, event.discriminator);
  if (data === null) return malformed('a lock without its event');
  const amount = isPermanent ? readPermanentLock(data) : readVesting(data);
  if (amount === null) return malformed('lock event ends inside its fields');
  const lock: LpLock = {
    kind: 'lpLock',
    outerIx: instruction.outerIx,
    innerIx: instruction.innerIx,
    pool: view.transaction.keys.at(at.pool),
    provider: view.transaction.keys.at(at.owner),
    amountRaw: amount as RawAmount,
    lockKind: isPermanent ? 'permanent' : 'locker',
    unlockTimeMs: null,
  };
  return events(lock);
}

function readPermanentLock(data: Uint8Array): bigint | null {
  const reader = new BorshReader(data, EVENT_FIELDS_OFFSET);
  reader.skip(2 * 32);
  const amount = reader.u128();
  return reader.isShort ? null : amount;
}

/** What is freed at the cliff and in all periods after it. */
function readVesting(data: Uint8Array): bigint | null {
  const reader = new BorshReader(data, EVENT_FIELDS_OFFSET);
  reader.skip(4 * 32 + 2 * 8);
  const atCliff = reader.u128();
  const perPeriod = reader.u128();
  const periodCount = reader.u16();
  return reader.isShort ? null : atCliff + perPeriod * BigInt(periodCount);
}
