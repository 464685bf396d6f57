/**
 * Raydium concentrated-liquidity pools, program CAMMCzo5….
 *
 * Swaps and position changes are what the transfers below the instruction did to the two vaults;
 * the program's own events go to the log, which may be cut short, and are not needed. Positions are
 * not LP tokens, and a withdrawal's vault changes include the fees paid out with it. A pool is
 * created empty; its first position brings the first liquidity.
 */
import type { Instruction } from '../../model/instruction.ts';
import type { Address } from '../../model/units.ts';
import {
  type DecodeResult,
  type Decoder,
  events,
  IGNORED,
  malformed,
  unknown,
} from '../decoder.ts';
import { readLiquidity, readPoolCreated } from '../liquidity-legs.ts';
import { accountsOf, instructionTable, type ProgramLayout } from '../program-layout.ts';
import { readSwap } from '../swap-legs.ts';
import type { TokenMovement } from '../token-movements.ts';
import type { TransactionView } from '../transaction-view.ts';

const SWAP_ACCOUNTS = {
  payer: 0,
  pool_state: 2,
  input_token_account: 3,
  output_token_account: 4,
  input_vault: 5,
  output_vault: 6,
};
const OPEN_POSITION_ACCOUNTS = { payer: 0, pool_state: 5, token_vault_0: 12, token_vault_1: 13 };
const INCREASE_ACCOUNTS = { nft_owner: 0, pool_state: 2, token_vault_0: 9, token_vault_1: 10 };
const DECREASE_ACCOUNTS = { nft_owner: 0, pool_state: 3, token_vault_0: 5, token_vault_1: 6 };

export const raydiumClmmLayout = {
  instructions: {
    swap: { discriminator: 'f8c69e91e17587c8', accounts: SWAP_ACCOUNTS },
    swap_v2: { discriminator: '2b04ed0b1ac91e62', accounts: SWAP_ACCOUNTS },
    swap_router_base_in: {
      discriminator: '457d73daf5baf2c4',
      accounts: { payer: 0 },
    },
    open_position: { discriminator: '87802f4d0f98f031', accounts: OPEN_POSITION_ACCOUNTS },
    open_position_v2: { discriminator: '4db84ad67056f1c7', accounts: OPEN_POSITION_ACCOUNTS },
    open_position_with_token22_nft: {
      discriminator: '4dffae527d1dc92e',
      accounts: { payer: 0, pool_state: 4, token_vault_0: 11, token_vault_1: 12 },
    },
    increase_liquidity: { discriminator: '2e9cf3760dcdfbb2', accounts: INCREASE_ACCOUNTS },
    increase_liquidity_v2: { discriminator: '851d59df45eeb00a', accounts: INCREASE_ACCOUNTS },
    decrease_liquidity: { discriminator: 'a026d06f685b2c01', accounts: DECREASE_ACCOUNTS },
    decrease_liquidity_v2: { discriminator: '3a7fbc3e4f52c460', accounts: DECREASE_ACCOUNTS },
    create_pool: {
      discriminator: 'e992d18ecf6840bc',
      accounts: { pool_creator: 0, pool_state: 2, token_vault_0: 5, token_vault_1: 6 },
    },
  },
  ignoredInstructions: {
    close_position: '7b86510031446262',
    collect_fund_fee: 'a78a4e95dfc2067e',
    collect_protocol_fee: '8888fcddc2427e59',
    collect_remaining_rewards: '12eda6c52210d590',
    create_amm_config: '8934edd4d7756c68',
    create_operation_account: '3f5794216d230868',
    create_support_mint_associated: '11fb415c88f20ea9',
    initialize_reward: '5f87c0c4f281e644',
    set_reward_params: '7034a74b20c9d389',
    transfer_reward_owner: '07160c53f22b3079',
    update_amm_config: '313cae889a1c74c8',
    update_operation_account: '7f467728bce33d07',
    update_pool_status: '82576c062ee0757b',
    update_reward_infos: 'a3ace0340b9a6adf',
  },
  events: {},
  ignoredEvents: {},
} satisfies ProgramLayout;

const INSTRUCTIONS = instructionTable(raydiumClmmLayout);

export const raydiumClmm: Decoder = {
  name: 'raydium_clmm',
  programId: 'CAMMCzo5YL8w4VFF8KVHrK22GGUsp5VTaW7grrKgrWqK' as Address,
  isVenue: true,
  decode(instruction, view) {
    const { instructions } = raydiumClmmLayout;
    switch (INSTRUCTIONS.get(instruction.data)) {
      case 'swap':
      case 'swap_v2':
        return decodeSwap(instruction, view);
      case 'swap_router_base_in':
        return decodeRoute(instruction, view);
      case 'open_position':
      case 'open_position_v2': {
        const at = accountsOf(instruction, instructions.open_position);
        return decodeLiquidity({ ...at, provider: at.payer }, instruction, view);
      }
      case 'open_position_with_token22_nft': {
        const at = accountsOf(instruction, instructions.open_position_with_token22_nft);
        return decodeLiquidity({ ...at, provider: at.payer }, instruction, view);
      }
      case 'increase_liquidity':
      case 'increase_liquidity_v2': {
        const at = accountsOf(instruction, instructions.increase_liquidity);
        return decodeLiquidity({ ...at, provider: at.nft_owner }, instruction, view);
      }
      case 'decrease_liquidity':
      case 'decrease_liquidity_v2': {
        const at = accountsOf(instruction, instructions.decrease_liquidity);
        return decodeLiquidity({ ...at, provider: at.nft_owner }, instruction, view);
      }
      case 'create_pool':
        return decodeCreatePool(instruction, view);
      case 'ignored':
        return IGNORED;
      default:
        return unknown(instruction.data, 8);
    }
  },
};

function decodeSwap(instruction: Instruction, view: TransactionView): DecodeResult {
  const at = accountsOf(instruction, raydiumClmmLayout.instructions.swap);
  const reading = readSwap(view, instruction, {
    venue: 'raydium_clmm',
    pool: at.pool_state,
    vaults: [at.input_vault, at.output_vault],
    user: at.payer,
    userAccounts: [at.input_token_account, at.output_token_account],
  });
  if (reading.status === 'malformed') return malformed(reading.reason);
  return reading.status === 'nothing' ? IGNORED : events(reading.swap);
}

/**
 * One instruction, several pools. Each hop makes two transfers, one into its input vault and one
 * out of its output vault, and names its accounts after the instruction's own in a fixed order. A
 * hop takes the place of the transfer that pays it out, so that no two events share one.
 */
function decodeRoute(instruction: Instruction, view: TransactionView): DecodeResult {
  const transfers = view
    .tokenMovementsUnder(instruction)
    .filter((movement) => movement.kind === 'transfer');
  if (transfers.length % 2 !== 0) return malformed('a hop without two transfers');
  const at = accountsOf(instruction, raydiumClmmLayout.instructions.swap_router_base_in);
  const router = view.callerOf(instruction);
  const swaps = [];
  for (let index = 0; index < transfers.length; index += 2) {
    const [paid, got] = transfers.slice(index, index + 2) as [TokenMovement, TokenMovement];
    const hop = hopAccounts(instruction, paid.destination, got.source);
    if (hop === null) return malformed('a hop between unnamed vaults');
    const reading = readSwap(view, got.instruction, {
      venue: 'raydium_clmm',
      pool: hop.pool,
      vaults: [paid.destination, got.source],
      user: at.payer,
      userAccounts: [paid.source, hop.outputAccount],
      movements: [paid, got],
    });
    if (reading.status === 'malformed') return malformed(reading.reason);
    if (reading.status === 'swap') swaps.push({ ...reading.swap, router });
  }
  return swaps.length === 0 ? IGNORED : events(...swaps);
}

/** A hop names its pool, the user's output account, the input vault and the output vault, in a row. */
function hopAccounts(
  instruction: Instruction,
  inputVault: number,
  outputVault: number,
): { pool: number; outputAccount: number } | null {
  for (let position = 2; position + 1 < instruction.accountCount; position++) {
    if (instruction.accountIndex(position) !== inputVault) continue;
    if (instruction.accountIndex(position + 1) !== outputVault) continue;
    return {
      pool: instruction.accountIndex(position - 2),
      outputAccount: instruction.accountIndex(position - 1),
    };
  }
  return null;
}

function decodeLiquidity(
  at: Record<'pool_state' | 'token_vault_0' | 'token_vault_1' | 'provider', number>,
  instruction: Instruction,
  view: TransactionView,
): DecodeResult {
  const reading = readLiquidity(view, instruction, {
    venue: 'raydium_clmm',
    pool: at.pool_state,
    vaults: [at.token_vault_0, at.token_vault_1],
    provider: at.provider,
    lpMint: -1,
  });
  if (reading.status === 'malformed') return malformed(reading.reason);
  return reading.status === 'nothing' ? IGNORED : events(reading.event);
}

/**
 * Nodes list the new vaults among the balances, holding 0. A record without them cannot tell the
 * mints' decimals; the pool is then met with its first position or swap.
 */
function decodeCreatePool(instruction: Instruction, view: TransactionView): DecodeResult {
  const at = accountsOf(instruction, raydiumClmmLayout.instructions.create_pool);
  if (at.token_vault_1 < 0) return malformed('too few accounts');
  const reading = readPoolCreated(view, instruction, {
    venue: 'raydium_clmm',
    pool: at.pool_state,
    vaults: [at.token_vault_0, at.token_vault_1],
    provider: at.pool_creator,
    lpMint: -1,
  });
  return reading.status === 'event' ? events(reading.event) : IGNORED;
}
