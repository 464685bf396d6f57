/**
 * Byreal concentrated-liquidity pools, program REALQQNe…: Raydium's interface without its route
 * instruction, with an additional swap and with pools created by a manager. Names and orders are
 * from the published source.
 */
import type { Address } from '../../model/units.ts';
import { clmmDecoder } from '../families/clmm.ts';
import { clmmLayout } from '../families/clmm-layout.ts';
import type { ProgramLayout } from '../transaction/program-layout.ts';

const { swap_router_base_in: _, ...shared } = clmmLayout.instructions;
const CREATE_POOL_ACCOUNTS = { pool_creator: 0, pool_state: 4, token_vault_0: 8, token_vault_1: 9 };

export const byrealClmmLayout = {
  instructions: {
    ...shared,
    swap_v3_dyn: { discriminator: 'e52ed584692828e4', accounts: shared.swap_v2.accounts },
    create_pool: { ...shared.create_pool, accounts: CREATE_POOL_ACCOUNTS },
    create_pool_decay_fee: { discriminator: 'fc9ad2bf16d988fc', accounts: CREATE_POOL_ACCOUNTS },
  },
  ignoredInstructions: {
    ...clmmLayout.ignoredInstructions,
    claim_offchain_reward: 'c357dd958dc39213',
    close_protocol_position: 'c975989055556cb2',
    deposit_offchain_reward: '617d30a95cf12c8e',
    init_amm_admin_group: 'd16c20f69dd6ed56',
    set_pool_quote_flag: 'fa26747af9806c69',
    set_pool_trade_fee_rate: '6d75aa2257ca3214',
    set_swap_dynamic_fee_params: 'a917854a73fbe934',
    update_amm_admin_group: '3db7b9bc52518dc5',
    withdraw_offchain_reward: '56353b4cd92647d5',
  },
  events: {},
  ignoredEvents: {},
} satisfies ProgramLayout;

export const byrealClmm = clmmDecoder(
  'byreal_clmm',
  'REALQqNEomY6cQGZJUGwywTBD2UmDT32rZcNnfxQ5N2' as Address,
  byrealClmmLayout,
);
