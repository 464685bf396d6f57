/**
 * Heaven's constant-product pools, program HEAVENoP….
 *
 * A standard pool is a launch: all tokens of a new mint against SOL that exists only in the
 * formula. A pro pool accepts liquidity from anyone. Trades and liquidity are read from the
 * transfers between the instruction and the two vaults; the program's logged events only repeat
 * them. A creator may buy in the same instruction that creates a standard pool. This is a swap if
 * both of its legs were transferred; otherwise only the pool's reserves after the launch show it.
 */

import { type DecodeResult, events } from '../legs/decoder.ts';
import { toLaunch } from '../legs/launch-readers.ts';
import { liquidity, poolCreated, swap } from '../legs/pool-readers.ts';
import { type ProgramCall, venueDecoder, withAllAccounts } from '../legs/program-decoder.ts';
import { readSwap } from '../legs/swap-legs.ts';
import { anchorLayout } from '../transaction/anchor-layout.ts';

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
export const heavenLayout = anchorLayout({
  instructions: {
    buy: TRADE_ACCOUNTS,
    sell: TRADE_ACCOUNTS,
    pro_buy: TRADE_ACCOUNTS,
    pro_sell: TRADE_ACCOUNTS,
    add_liquidity_pro_pool: LIQUIDITY_ACCOUNTS,
    remove_liquidity_pro_pool: LIQUIDITY_ACCOUNTS,
    create_standard_liquidity_pool: CREATE_ACCOUNTS,
    create_pro_liquidity_pool: CREATE_ACCOUNTS,
  },
  ignoredInstructions: [
    'admin_borrow_sol',
    'admin_claim_msol',
    'admin_claim_pro_creator_trading_fees',
    'admin_claim_staking_rewards',
    'admin_claim_standard_creator_trading_fees',
    'admin_deposit_msol',
    'admin_mint_msol',
    'admin_repay_sol',
    'admin_set_transfer_fee',
    'admin_unstake_msol',
    'admin_update_pro_liquidity_pool_state',
    'admin_update_standard_liquidity_pool_state',
    'admin_withdraw_msol',
    'admin_withdraw_transfer_fee',
    'claim_pro_creator_trading_fee_protocol_fees',
    'claim_pro_creator_trading_fees',
    'claim_pro_liquidity_provider_trading_fees',
    'claim_pro_protocol_trading_fees',
    'claim_pro_reflection_trading_fees',
    'claim_standard_creator_trading_fee_protocol_fees',
    'claim_standard_creator_trading_fees',
    'claim_standard_protocol_trading_fees',
    'claim_standard_reflection_trading_fees',
    'close_protocol_lookup_table',
    'create_or_update_protocol_fee_admin',
    'create_or_update_protocol_owner',
    'create_or_update_protocol_staking_admin',
    'create_protocol_config',
    'create_protocol_lookup_table',
    'creator_set_pro_market_cap_creator_fee',
    'creator_set_pro_market_cap_lp_fee',
    'creator_set_pro_market_cap_reflection_fee',
    'creator_set_pro_slot_creator_fee',
    'creator_toggle_pro_deposit',
    'creator_toggle_pro_swap',
    'creator_toggle_pro_withdraw',
    'deactivate_protocol_lookup_table',
    'extend_protocol_lookup_table',
    'initialize_protocol_lending',
    'remaining_accounts_stub',
    'set_protocol_slot_fees',
    'transfer_lp_tokens',
    'update_allow_create_pool',
    'update_creator_trading_fee_receiver',
    'update_pro_creator_trading_fee_receiver',
    'update_protocol_config',
  ],
  events: {},
  ignoredEvents: [],
});

const POOL = { pool: 'liquidity_pool_state', vaults: ['token_a_vault', 'token_b_vault'] } as const;
const TRADE = swap({
  ...POOL,
  user: 'user',
  userAccounts: ['user_token_a_vault', 'user_token_b_vault'],
});
/** Positions are accounts of the program, not LP tokens. */
const LIQUIDITY = { ...POOL, provider: 'user' } as const;

export const heaven = venueDecoder({
  name: 'heaven',
  programId: 'HEAVENoP2qxoeuF8Dj2oT1GHEnu49U5mJYkdeC8BAX2o',
  layout: heavenLayout,
  readers: {
    buy: TRADE,
    sell: TRADE,
    pro_buy: TRADE,
    pro_sell: TRADE,
    add_liquidity_pro_pool: liquidity(LIQUIDITY),
    remove_liquidity_pro_pool: liquidity(LIQUIDITY),
    create_standard_liquidity_pool: withAllAccounts(decodeLaunch),
    create_pro_liquidity_pool: poolCreated(LIQUIDITY),
  },
});

function decodeLaunch(call: ProgramCall<keyof typeof CREATE_ACCOUNTS>): DecodeResult {
  const { name, at, instruction, view } = call;
  const roles = {
    mint: 'token_a_mint',
    pool: 'liquidity_pool_state',
    tokenProgram: 'token_a_program',
    baseVault: 'token_a_vault',
    quote: { mint: 'token_b_mint', vault: 'token_b_vault' },
  } as const;
  const launch = toLaunch(call, roles, view.transaction.keys.at(at.user));
  const purchase = readSwap(view, instruction, {
    venue: name,
    pool: at.liquidity_pool_state,
    vaults: [at.token_a_vault, at.token_b_vault],
    user: at.user,
    userAccounts: [at.user_token_a_vault, -1],
    movements: view.tokenMovementsUnder(instruction).filter(({ kind }) => kind === 'transfer'),
  });
  return purchase.status === 'event' ? events(launch, purchase.event) : events(launch);
}
