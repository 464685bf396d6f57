/**
 * Heaven's constant-product pools, program HEAVENoP….
 *
 * A standard pool is a launch: all tokens of a new mint against SOL that exists only in the
 * formula. A pro pool accepts liquidity from anyone. Trades and liquidity are read from the
 * transfers between the instruction and the two vaults; the program's logged events only repeat
 * them. A creator may buy in the same instruction that creates a standard pool. This is a swap if
 * both of its legs were transferred; otherwise only the pool's reserves after the launch show it.
 */
import type { Launch } from '../../model/chain-event.ts';
import type { Instruction } from '../../model/instruction.ts';
import type { Address } from '../../model/units.ts';
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
import { mintedSupply } from '../legs/minted-supply.ts';
import { readSwap, reservesOf } from '../legs/swap-legs.ts';
import { accountsOf, instructionTable, type ProgramLayout } from '../transaction/program-layout.ts';
import type { TransactionView } from '../transaction/transaction-view.ts';

const TRADE_ACCOUNTS = {
  liquidity_pool_state: 4,
  user: 5,
  user_token_a_vault: 8,
  user_token_b_vault: 9,
  token_a_vault: 10,
  token_b_vault: 11,
};
const LIQUIDITY_ACCOUNTS = {
  liquidity_pool_state: 4,
  user: 5,
  token_a_vault: 11,
  token_b_vault: 12,
};
const CREATE_ACCOUNTS = {
  user: 3,
  token_a_mint: 5,
  token_b_mint: 6,
  user_token_a_vault: 7,
  token_a_vault: 8,
  token_b_vault: 9,
  liquidity_pool_state: 10,
  token_a_program: 12,
};

/** Names and order follow the program's interface. */
export const heavenLayout = {
  instructions: {
    buy: { discriminator: '66063d1201daebea', accounts: TRADE_ACCOUNTS },
    sell: { discriminator: '33e685a4017f83ad', accounts: TRADE_ACCOUNTS },
    pro_buy: { discriminator: '67abc4ee9f2dbbf6', accounts: TRADE_ACCOUNTS },
    pro_sell: { discriminator: '8c4f7a601689ee7c', accounts: TRADE_ACCOUNTS },
    add_liquidity_pro_pool: { discriminator: '7d3b6c2a121c2207', accounts: LIQUIDITY_ACCOUNTS },
    remove_liquidity_pro_pool: { discriminator: 'bf372a2ce262ac4f', accounts: LIQUIDITY_ACCOUNTS },
    create_standard_liquidity_pool: {
      discriminator: '2a2b7e38e70ad035',
      accounts: CREATE_ACCOUNTS,
    },
    create_pro_liquidity_pool: { discriminator: 'd16155bfbb1dc455', accounts: CREATE_ACCOUNTS },
  },
  ignoredInstructions: {
    admin_borrow_sol: 'cc485fd7acc089fc',
    admin_claim_msol: '7c303cc7cb312429',
    admin_claim_pro_creator_trading_fees: '4482fa483c5e1f16',
    admin_claim_staking_rewards: '18a3dcabe1dea6f8',
    admin_claim_standard_creator_trading_fees: 'b627a819603f4c11',
    admin_deposit_msol: 'cebdd0a61351ca30',
    admin_mint_msol: '8cca39c361d5a813',
    admin_repay_sol: '883d30e8a61acf2e',
    admin_set_transfer_fee: 'e8c1a803505cd7b0',
    admin_unstake_msol: 'fdda8dfc2809079a',
    admin_update_pro_liquidity_pool_state: 'c845f14091928070',
    admin_update_standard_liquidity_pool_state: '63e4293fddf4c8c7',
    admin_withdraw_msol: 'f9db8d48d26ed863',
    admin_withdraw_transfer_fee: '754fa4cb7e4816f6',
    claim_pro_creator_trading_fee_protocol_fees: 'ea23ed0f8a31ec99',
    claim_pro_creator_trading_fees: '517b67716d968a5d',
    claim_pro_liquidity_provider_trading_fees: 'f274e4342074ac94',
    claim_pro_protocol_trading_fees: 'ddc065bdff4fc239',
    claim_pro_reflection_trading_fees: 'ea9030fc6f06503a',
    claim_standard_creator_trading_fee_protocol_fees: '00c9e2e47f2d456e',
    claim_standard_creator_trading_fees: 'a559dd34aaf9226f',
    claim_standard_protocol_trading_fees: '54ce8cf53fd440ed',
    claim_standard_reflection_trading_fees: '4694259366141e17',
    close_protocol_lookup_table: '4f48302777032a74',
    create_or_update_protocol_fee_admin: '157eb014556f351f',
    create_or_update_protocol_owner: 'aa7c802830698b94',
    create_or_update_protocol_staking_admin: '04acc4d578321e89',
    create_protocol_config: '7372186f0e3571fe',
    create_protocol_lookup_table: 'f9036399a8f1f3e4',
    creator_set_pro_market_cap_creator_fee: '75ce38021c25eceb',
    creator_set_pro_market_cap_lp_fee: '06c12209eb55fff6',
    creator_set_pro_market_cap_reflection_fee: 'e3ad60792de2a489',
    creator_set_pro_slot_creator_fee: '15464de404e10353',
    creator_toggle_pro_deposit: 'a08980cc2ab366ca',
    creator_toggle_pro_swap: '8fbe0581e63b1c59',
    creator_toggle_pro_withdraw: '202fea054d92f4b2',
    deactivate_protocol_lookup_table: 'da0c583a962c9848',
    extend_protocol_lookup_table: '07e3c6016b711f58',
    initialize_protocol_lending: '00cdedf01b4f1b3b',
    remaining_accounts_stub: '208f535e17223bef',
    set_protocol_slot_fees: 'b552130f7ecd98f2',
    transfer_lp_tokens: 'ee790e52676d46b4',
    update_allow_create_pool: 'dffce73e60dbf1d6',
    update_creator_trading_fee_receiver: 'f6e5c84f1f157819',
    update_pro_creator_trading_fee_receiver: '9cf01bf32aa51f00',
    update_protocol_config: 'c5617b36dda80b87',
  },
  events: {},
  ignoredEvents: {},
} satisfies ProgramLayout;

const INSTRUCTIONS = instructionTable(heavenLayout);

export const heaven: Decoder = {
  name: 'heaven',
  programId: 'HEAVENoP2qxoeuF8Dj2oT1GHEnu49U5mJYkdeC8BAX2o' as Address,
  isVenue: true,
  decode(instruction, view) {
    switch (INSTRUCTIONS.get(instruction.data)) {
      case 'buy':
      case 'sell':
      case 'pro_buy':
      case 'pro_sell':
        return decodeTrade(instruction, view);
      case 'add_liquidity_pro_pool':
      case 'remove_liquidity_pro_pool':
        return decodeLiquidity(instruction, view);
      case 'create_standard_liquidity_pool':
        return decodeLaunch(instruction, view);
      case 'create_pro_liquidity_pool':
        return decodePool(instruction, view);
      case 'ignored':
        return IGNORED;
      default:
        return unknown(instruction.data, 8);
    }
  },
};

function decodeTrade(instruction: Instruction, view: TransactionView): DecodeResult {
  const at = accountsOf(instruction, heavenLayout.instructions.buy);
  const reading = readSwap(view, instruction, {
    venue: 'heaven',
    pool: at.liquidity_pool_state,
    vaults: [at.token_a_vault, at.token_b_vault],
    user: at.user,
    userAccounts: [at.user_token_a_vault, at.user_token_b_vault],
  });
  return resultOf(reading);
}

function decodeLiquidity(instruction: Instruction, view: TransactionView): DecodeResult {
  const at = accountsOf(instruction, heavenLayout.instructions.add_liquidity_pro_pool);
  const reading = readLiquidity(view, instruction, poolAccounts(at));
  return resultOf(reading);
}

function decodePool(instruction: Instruction, view: TransactionView): DecodeResult {
  const at = accountsOf(instruction, heavenLayout.instructions.create_pro_liquidity_pool);
  const reading = readPoolCreated(view, instruction, poolAccounts(at));
  return resultOf(reading);
}

/** Positions are accounts of the program, not LP tokens. */
function poolAccounts(at: Record<keyof typeof LIQUIDITY_ACCOUNTS, number>): LiquidityAccounts {
  return {
    venue: 'heaven',
    pool: at.liquidity_pool_state,
    vaults: [at.token_a_vault, at.token_b_vault],
    provider: at.user,
    lpMint: -1,
  };
}

function decodeLaunch(instruction: Instruction, view: TransactionView): DecodeResult {
  const at = accountsOf(instruction, heavenLayout.instructions.create_standard_liquidity_pool);
  if (Object.values(at).some((index) => index < 0)) return malformed('too few accounts');
  const { keys } = view.transaction;
  const mint = keys.at(at.token_a_mint);
  const launch: Launch = {
    kind: 'launch',
    outerIx: instruction.outerIx,
    innerIx: instruction.innerIx,
    venue: 'heaven',
    mint,
    quoteMint: keys.at(at.token_b_mint),
    pool: keys.at(at.liquidity_pool_state),
    creator: keys.at(at.user),
    tokenProgram: keys.at(at.token_a_program),
    supply: mintedSupply(view, instruction, mint),
    reserves: reservesOf(view, instruction, at.token_a_vault, at.token_b_vault),
  };
  const purchase = readSwap(view, instruction, {
    venue: 'heaven',
    pool: at.liquidity_pool_state,
    vaults: [at.token_a_vault, at.token_b_vault],
    user: at.user,
    userAccounts: [at.user_token_a_vault, -1],
    movements: view.tokenMovementsUnder(instruction).filter(({ kind }) => kind === 'transfer'),
  });
  return purchase.status === 'event' ? events(launch, purchase.event) : events(launch);
}
