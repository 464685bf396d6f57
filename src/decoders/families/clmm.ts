import type { Instruction } from '../../model/instruction.ts';
import { type DecodeResult, events, IGNORED, malformed } from '../legs/decoder.ts';
import { emptyPoolCreated, liquidity, swap } from '../legs/pool-readers.ts';
import type { ProgramCall } from '../legs/program-decoder.ts';
import { readSwap } from '../legs/swap-legs.ts';
import type { TokenMovement } from '../transaction/token-movements.ts';

const SWAP = swap({
  pool: 'pool_state',
  vaults: ['input_vault', 'output_vault'],
  user: 'payer',
  userAccounts: ['input_token_account', 'output_token_account'],
});
const POOL = { pool: 'pool_state', vaults: ['token_vault_0', 'token_vault_1'] } as const;
const OPENED = liquidity({ ...POOL, provider: 'payer' });
const CHANGED = liquidity({ ...POOL, provider: 'nft_owner' });
const CREATED = emptyPoolCreated({ ...POOL, provider: 'pool_creator' });

/**
 * Readers of the instructions of Raydium's concentrated-liquidity program and its forks.
 *
 * Swaps and position changes are read from the transfers between the instruction and the two
 * vaults. The program's own events are written to the log, which may be truncated, and are not
 * needed. Positions are not LP tokens, and the vault changes of a withdrawal include the fees paid
 * out with it. A pool is created empty; its first position adds the first liquidity.
 */
export const clmmReaders = {
  swap: SWAP,
  swap_v2: SWAP,
  swap_v3_dyn: SWAP,
  swap_router_base_in: decodeRoute,
  open_position: OPENED,
  open_position_v2: OPENED,
  open_position_with_token22_nft: OPENED,
  increase_liquidity: CHANGED,
  increase_liquidity_v2: CHANGED,
  decrease_liquidity: CHANGED,
  decrease_liquidity_v2: CHANGED,
  create_pool: CREATED,
  create_pool_decay_fee: CREATED,
};

/**
 * One instruction that swaps on several pools. Each hop makes two transfers, one into its input
 * vault and one out of its output vault, and lists its accounts after the instruction's own in a
 * fixed order. A hop has the position of the transfer that pays it out, so no two events share a
 * position.
 */
function decodeRoute({ name, at, instruction, view }: ProgramCall<'payer'>): DecodeResult {
  const transfers = view
    .tokenMovementsUnder(instruction)
    .filter((movement) => movement.kind === 'transfer');
  if (transfers.length % 2 !== 0) return malformed('a hop without two transfers');
  const router = view.routerOf(instruction);
  const swaps = [];
  for (let index = 0; index < transfers.length; index += 2) {
    const [paid, got] = transfers.slice(index, index + 2) as [TokenMovement, TokenMovement];
    const hop = hopAccounts(instruction, paid.destination, got.source);
    if (hop === null) return malformed('a hop between unnamed vaults');
    const reading = readSwap(view, got.instruction, {
      venue: name,
      pool: hop.pool,
      vaults: [paid.destination, got.source],
      user: at.payer,
      userAccounts: [paid.source, hop.outputAccount],
      movements: [paid, got],
    });
    if (reading.status === 'malformed') return reading;
    if (reading.status === 'event') swaps.push({ ...reading.event, router });
  }
  return swaps.length === 0 ? IGNORED : events(...swaps);
}

/**
 * A hop lists its pool, the user's output account, the input vault and the output vault, in this
 * order.
 */
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
