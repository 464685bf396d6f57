/**
 * Byreal concentrated-liquidity pools, program REALQQNe…: Raydium's interface without its route
 * instruction, with an additional swap and with pools created by a manager. Names and orders are
 * from the published source.
 */
import { clmmReaders } from '../families/clmm.ts';
import { clmmLayout } from '../families/clmm-layout.ts';
import { venueDecoder } from '../legs/program-decoder.ts';
import { anchorLayout } from '../transaction/anchor-layout.ts';
import type { ProgramLayout } from '../transaction/program-layout.ts';

const { swap_router_base_in: _, ...shared } = clmmLayout.instructions;
const CREATE_POOL_ACCOUNTS = { pool_creator: 0, pool_state: 4, token_vault_0: 8, token_vault_1: 9 };

/** What its own instructions add to those of the CLMM that it was forked from. */
const own = anchorLayout({
  instructions: {
    swap_v3_dyn: shared.swap_v2.accounts,
    create_pool: CREATE_POOL_ACCOUNTS,
    create_pool_decay_fee: CREATE_POOL_ACCOUNTS,
  },
  ignoredInstructions: [
    'claim_offchain_reward',
    'close_protocol_position',
    'deposit_offchain_reward',
    'init_amm_admin_group',
    'set_pool_quote_flag',
    'set_pool_trade_fee_rate',
    'set_swap_dynamic_fee_params',
    'update_amm_admin_group',
    'withdraw_offchain_reward',
  ],
  events: {},
  ignoredEvents: [],
});

export const byrealClmmLayout = {
  instructions: { ...shared, ...own.instructions },
  ignoredInstructions: { ...clmmLayout.ignoredInstructions, ...own.ignoredInstructions },
  events: {},
  ignoredEvents: {},
} satisfies ProgramLayout;

export const byrealClmm = venueDecoder({
  name: 'byreal_clmm',
  programId: 'REALQqNEomY6cQGZJUGwywTBD2UmDT32rZcNnfxQ5N2',
  layout: byrealClmmLayout,
  readers: clmmReaders,
});
