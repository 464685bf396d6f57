import { type DecodeResult, events } from '../legs/decoder.ts';
import { toLpLock } from '../legs/lp-lock.ts';
import { emptyPoolCreated, liquidity, swap } from '../legs/pool-readers.ts';
import { type ProgramCall, withAllAccounts } from '../legs/program-decoder.ts';
import { decodeTwoHopSwap, decodeTwoHopSwapV2 } from './whirlpool-two-hop.ts';

const POOL = { pool: 'whirlpool', vaults: ['token_vault_a', 'token_vault_b'] } as const;
const SWAP = swap({
  ...POOL,
  user: 'token_authority',
  userAccounts: ['token_owner_account_a', 'token_owner_account_b'],
});
const LIQUIDITY = liquidity({ ...POOL, provider: 'position_authority' });
const CREATED = emptyPoolCreated({ ...POOL, provider: 'funder' });

/**
 * Readers of the instructions of Orca's Whirlpool program and its forks.
 *
 * Swaps and liquidity changes are read from the transfers between the instruction and the two
 * vaults. The program's own events are written to the log, which may be truncated, and are not
 * needed. A pool is created empty; its first position adds the first liquidity. Positions are not
 * LP tokens. Their earned fees are paid by separate instructions, which do not change liquidity.
 */
export const whirlpoolReaders = {
  swap: SWAP,
  swap_v2: SWAP,
  two_hop_swap: decodeTwoHopSwap,
  two_hop_swap_v2: decodeTwoHopSwapV2,
  increase_liquidity: LIQUIDITY,
  increase_liquidity_v2: LIQUIDITY,
  increase_liquidity_by_token_amounts_v2: LIQUIDITY,
  decrease_liquidity: LIQUIDITY,
  decrease_liquidity_v2: LIQUIDITY,
  reposition_liquidity_v2: LIQUIDITY,
  initialize_pool: CREATED,
  initialize_pool_v2: CREATED,
  initialize_pool_with_adaptive_fee: CREATED,
  lock_position: withAllAccounts(decodeLockPosition),
};

/** A locked position is a frozen token with a supply of one; the program has no other lock. */
function decodeLockPosition(call: ProgramCall<'whirlpool' | 'position_authority'>): DecodeResult {
  const { whirlpool: pool, position_authority: provider } = call.at;
  return events(toLpLock(call, { pool, provider }, 1n, 'permanent'));
}
