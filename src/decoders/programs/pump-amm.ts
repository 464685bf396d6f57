/**
 * PumpSwap pools, program pAMMBay6….
 *
 * Swaps, deposits and withdrawals are what the transfers below the instruction did to the pool's two
 * token accounts. The program's own event only adds the fee: what the user paid or got, less the
 * amount the constant product asked for, is everything that pool, protocol, creator and cashback
 * took, whatever kinds of fee the program has learnt since.
 */

import { BorshReader } from '../../model/borsh-reader.ts';
import type { Instruction } from '../../model/instruction.ts';
import type { Address, RawAmount } from '../../model/units.ts';
import {
  type DecodeResult,
  type Decoder,
  IGNORED,
  malformed,
  resultOf,
  unknown,
} from '../decoder.ts';
import { isSelfEvent } from '../discriminator.ts';
import { readLiquidity, readPoolCreated } from '../liquidity-legs.ts';
import { orientPair } from '../pool-pair.ts';
import { accountsOf, eventTable, instructionTable, type ProgramLayout } from '../program-layout.ts';
import { readSwap } from '../swap-legs.ts';
import { EVENT_FIELDS_OFFSET, type TransactionView } from '../transaction-view.ts';

const SWAP_ACCOUNTS = {
  pool: 0,
  user: 1,
  user_base_token_account: 5,
  user_quote_token_account: 6,
  pool_base_token_account: 7,
  pool_quote_token_account: 8,
};
const LIQUIDITY_ACCOUNTS = {
  pool: 0,
  user: 2,
  lp_mint: 5,
  pool_base_token_account: 9,
  pool_quote_token_account: 10,
};
const CREATE_POOL_ACCOUNTS = {
  pool: 0,
  creator: 2,
  lp_mint: 5,
  pool_base_token_account: 9,
  pool_quote_token_account: 10,
};

export const pumpAmmLayout = {
  instructions: {
    buy: { discriminator: '66063d1201daebea', accounts: SWAP_ACCOUNTS },
    buy_exact_quote_in: { discriminator: 'c62e1552b4d9e870', accounts: SWAP_ACCOUNTS },
    sell: { discriminator: '33e685a4017f83ad', accounts: SWAP_ACCOUNTS },
    deposit: { discriminator: 'f223c68952e1f2b6', accounts: LIQUIDITY_ACCOUNTS },
    withdraw: { discriminator: 'b712469c946da122', accounts: LIQUIDITY_ACCOUNTS },
    create_pool: { discriminator: 'e992d18ecf6840bc', accounts: CREATE_POOL_ACCOUNTS },
  },
  ignoredInstructions: {
    admin_set_coin_creator: 'f228759149606968',
    admin_update_token_incentives: 'd10b7357d5177ccc',
    claim_cashback: '253a237ebe35e4c5',
    claim_token_incentives: '1004471ccc01281b',
    close_user_volume_accumulator: 'f945a4da9667548a',
    collect_coin_creator_fee: 'a039592ab58b2b42',
    create_config: 'c9cff3724b6f2fbd',
    disable: 'b9adbb5ad80feee9',
    extend_account: 'ea66c2cb96483ee5',
    init_user_volume_accumulator: '5e06ca73ff60e8b7',
    migrate_pool_coin_creator: 'd0089f044aaf103a',
    set_coin_creator: 'd295802dbc3a4eaf',
    set_reserved_fee_recipients: '6faca2e87259d58e',
    sync_user_volume_accumulator: '561fc057a3574fee',
    toggle_cashback_enabled: '7367e0ffbd5956c3',
    toggle_mayhem_mode: '01096fd0641fffa3',
    transfer_creator_fees_to_pump: '8b348655e4e56cf1',
    transfer_creator_fees_to_pump_v2: '01214eb921432c5c',
    update_admin: 'a1b028d53cb8b3e4',
    update_buyback_config: 'fbe0ab92a01a71e9',
    update_fee_config: '68b867f258976b14',
  },
  events: {
    BuyEvent: {
      discriminator: '67f4521f2cf57777',
      fields: [
        'timestamp',
        'base_amount_out',
        'max_quote_amount_in',
        'user_base_token_reserves',
        'user_quote_token_reserves',
        'pool_base_token_reserves',
        'pool_quote_token_reserves',
        'quote_amount_in',
        'lp_fee_basis_points',
        'lp_fee',
        'protocol_fee_basis_points',
        'protocol_fee',
        'quote_amount_in_with_lp_fee',
        'user_quote_amount_in',
      ],
    },
    SellEvent: {
      discriminator: '3e2f370aa503dc2a',
      fields: [
        'timestamp',
        'base_amount_in',
        'min_quote_amount_out',
        'user_base_token_reserves',
        'user_quote_token_reserves',
        'pool_base_token_reserves',
        'pool_quote_token_reserves',
        'quote_amount_out',
        'lp_fee_basis_points',
        'lp_fee',
        'protocol_fee_basis_points',
        'protocol_fee',
        'quote_amount_out_without_lp_fee',
        'user_quote_amount_out',
      ],
    },
  },
  ignoredEvents: {
    AdminSetCoinCreatorEvent: '2ddc5d181961ac68',
    AdminUpdateTokenIncentivesEvent: '93fa6c78f71d43de',
    ClaimCashbackEvent: 'e2d6f62107f293e5',
    ClaimTokenIncentivesEvent: '4facf631cd5bcee8',
    CloseUserVolumeAccumulatorEvent: '929fbdac925838f4',
    CollectCoinCreatorFeeEvent: 'e8f5c2eeeada3a59',
    CreateConfigEvent: '6b34598137e25116',
    CreatePoolEvent: 'b1310cd2a076a774',
    DepositEvent: '78f83d531f8e6b90',
    DisableEvent: '6bfdc14ce4ca1b68',
    ExtendAccountEvent: '6161d7905d92167c',
    InitUserVolumeAccumulatorEvent: '86240d48e86582d8',
    MigratePoolCoinCreatorEvent: 'aadd52c793a5f72e',
    ReservedFeeRecipientsEvent: '2bbcfa12dd4bbb5f',
    SetBondingCurveCoinCreatorEvent: 'f2e7eb664163bdd3',
    SetMetaplexCoinCreatorEvent: '966bc77b7ccf66e4',
    SyncUserVolumeAccumulatorEvent: 'c57aa77c74515bff',
    UpdateAdminEvent: 'e198ab57f63f42ea',
    UpdateFeeConfigEvent: '5a1741233ef4bcd0',
    WithdrawEvent: '1609851aa02c47c0',
  },
} satisfies ProgramLayout;

const INSTRUCTIONS = instructionTable(pumpAmmLayout);
const EVENTS = eventTable(pumpAmmLayout);

export const pumpAmm: Decoder = {
  name: 'pump_amm',
  programId: 'pAMMBay6oceH9fJKBRHGP5D4bD4sWpmSwMn52FMfXEA' as Address,
  isVenue: true,
  decode(instruction, view) {
    const { data } = instruction;
    if (isSelfEvent(data)) {
      return EVENTS.get(data, 8) === undefined ? unknown(data.subarray(8), 8) : IGNORED;
    }
    switch (INSTRUCTIONS.get(data)) {
      case 'buy':
      case 'buy_exact_quote_in':
        return decodeSwap(instruction, view, pumpAmmLayout.events.BuyEvent.discriminator);
      case 'sell':
        return decodeSwap(instruction, view, pumpAmmLayout.events.SellEvent.discriminator);
      case 'deposit':
      case 'withdraw':
        return decodeLiquidity(instruction, view);
      case 'create_pool':
        return decodeCreatePool(instruction, view);
      case 'ignored':
        return IGNORED;
      default:
        return unknown(data, 8);
    }
  },
};

function decodeSwap(
  instruction: Instruction,
  view: TransactionView,
  eventDiscriminator: string,
): DecodeResult {
  const at = accountsOf(instruction, pumpAmmLayout.instructions.buy);
  const data = view.selfEventOf(instruction, eventDiscriminator);
  const fee = data === null ? null : readFee(data);
  if (data !== null && fee === null) return malformed('swap event ends inside its fields');
  const { pool_base_token_account: base, pool_quote_token_account: quote } = at;
  const reading = readSwap(
    view,
    instruction,
    {
      venue: 'pump_amm',
      pool: at.pool,
      vaults: [base, quote],
      user: at.user,
      userAccounts: [at.user_base_token_account, at.user_quote_token_account],
    },
    { feeQuoteRaw: isQuote(view, base, quote) ? fee : null },
  );
  return resultOf(reading);
}

/** Buy and sell events have the two amounts at the same places; a sale pays the user the lesser. */
function readFee(data: Uint8Array): RawAmount | null {
  const reader = new BorshReader(data, EVENT_FIELDS_OFFSET);
  reader.skip(7 * 8);
  const curveAmount = reader.u64();
  reader.skip(5 * 8);
  const userAmount = reader.u64();
  if (reader.isShort) return null;
  const fee = userAmount > curveAmount ? userAmount - curveAmount : curveAmount - userAmount;
  return fee as RawAmount;
}

/** Fees are in the pool's own quote. Some pools were opened the other way round, SOL as base. */
function isQuote(view: TransactionView, base: number, quote: number): boolean {
  if (base < 0 || quote < 0) return false;
  const pair = orientPair(view, base, quote);
  return typeof pair !== 'string' && pair.quote === quote;
}

function decodeLiquidity(instruction: Instruction, view: TransactionView): DecodeResult {
  const at = accountsOf(instruction, pumpAmmLayout.instructions.deposit);
  const reading = readLiquidity(view, instruction, {
    venue: 'pump_amm',
    pool: at.pool,
    vaults: [at.pool_base_token_account, at.pool_quote_token_account],
    provider: at.user,
    lpMint: at.lp_mint,
  });
  return resultOf(reading);
}

function decodeCreatePool(instruction: Instruction, view: TransactionView): DecodeResult {
  const at = accountsOf(instruction, pumpAmmLayout.instructions.create_pool);
  const reading = readPoolCreated(view, instruction, {
    venue: 'pump_amm',
    pool: at.pool,
    vaults: [at.pool_base_token_account, at.pool_quote_token_account],
    provider: at.creator,
    lpMint: at.lp_mint,
  });
  return resultOf(reading);
}
