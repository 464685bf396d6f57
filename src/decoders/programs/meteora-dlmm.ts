/**
 * Meteora DLMM pools, program LBUZKhRx….
 *
 * Swaps and liquidity are read from the transfers between the instruction and the pool's two
 * reserves; the program's own event only adds the fee. A pool is created empty. Two kinds of
 * instruction name only one reserve. One-sided deposits are read when another instruction of the
 * transaction names the pool's other reserve, and ignored otherwise, since the record then does not
 * show the pool's other token. Limit orders are ignored until a swap fills them.
 */

import type { Instruction } from '../../model/instruction.ts';
import { asRawAmount } from '../../model/units.ts';
import { meteoraDlmmLayout } from '../families/meteora-dlmm-layout.ts';
import { type DecodeResult, events, IGNORED, malformed, resultOf } from '../legs/decoder.ts';
import { emptyPoolCreated, liquidity, swapAccounts } from '../legs/pool-readers.ts';
import { type ProgramCall, venueDecoder } from '../legs/program-decoder.ts';
import { readSwap } from '../legs/swap-legs.ts';
import { accountsOf, instructionTable } from '../transaction/program-layout.ts';
import { readSelfEvent } from '../transaction/self-event.ts';
import type { TransactionView } from '../transaction/transaction-view.ts';

const INSTRUCTIONS = instructionTable(meteoraDlmmLayout);

const PAIR = { pool: 'lb_pair', vaults: ['reserve_x', 'reserve_y'] } as const;
const SWAP = { ...PAIR, user: 'user', userAccounts: ['user_token_in', 'user_token_out'] } as const;
const LIQUIDITY = liquidity({ ...PAIR, provider: 'sender' });
const CREATED = emptyPoolCreated({ ...PAIR, provider: 'funder' });

export const meteoraDlmm = venueDecoder({
  name: 'meteora_dlmm',
  programId: 'LBUZKhRxPF3XUpBCjp4YzTKgLccjZhTSDM9YuVaPwxo',
  layout: meteoraDlmmLayout,
  readers: {
    swap: decodeSwap,
    swap2: decodeSwap,
    swap_exact_out: decodeSwap,
    swap_exact_out2: decodeSwap,
    swap_with_price_impact: decodeSwap,
    swap_with_price_impact2: decodeSwap,
    add_liquidity: LIQUIDITY,
    add_liquidity2: LIQUIDITY,
    add_liquidity_by_weight: LIQUIDITY,
    add_liquidity_by_weight2: LIQUIDITY,
    add_liquidity_by_strategy: LIQUIDITY,
    add_liquidity_by_strategy2: LIQUIDITY,
    remove_liquidity: LIQUIDITY,
    remove_liquidity2: LIQUIDITY,
    remove_all_liquidity: LIQUIDITY,
    remove_liquidity_by_range: LIQUIDITY,
    remove_liquidity_by_range2: LIQUIDITY,
    rebalance_liquidity: liquidity({ ...PAIR, provider: 'owner' }),
    add_liquidity_one_side: decodeOneSide,
    add_liquidity_by_strategy_one_side: decodeOneSide,
    add_liquidity_one_side_precise: decodeOneSide,
    add_liquidity_one_side_precise2: decodeOneSide,
    initialize_lb_pair: CREATED,
    initialize_lb_pair2: CREATED,
    initialize_customizable_permissionless_lb_pair: CREATED,
    initialize_customizable_permissionless_lb_pair2: CREATED,
    initialize_permission_lb_pair: emptyPoolCreated({ ...PAIR, provider: 'admin' }),
  },
});

function decodeSwap(
  call: ProgramCall<keyof typeof meteoraDlmmLayout.instructions.swap.accounts>,
): DecodeResult {
  const { instruction, view } = call;
  const { Swap, Swap2Evt } = meteoraDlmmLayout.events;
  const event = readSelfEvent(view, instruction, Swap);
  if (event === 'short') return malformed('swap event ends inside its fields');
  const reading = readSwap(view, instruction, swapAccounts(call, SWAP));
  if (reading.status !== 'event') return resultOf(reading);
  const { event: swap } = reading;
  // The whole fee, including the protocol's share. Up to version 0.9 it is in the input token. Later versions may take it from either token,
  // as stated in a second event.
  const isLater = view.selfEventOf(instruction, Swap2Evt.discriminator) !== null;
  const isInQuote = event !== null && swap.side === 'buy' && !isLater;
  return events(isInQuote ? { ...swap, feeQuoteRaw: asRawAmount(event.fee) } : swap);
}

function decodeOneSide({
  at,
  ...call
}: ProgramCall<'lb_pair' | 'reserve' | 'sender'>): DecodeResult {
  if (Math.min(at.lb_pair, at.reserve, at.sender) < 0) return malformed('too few accounts');
  const pair = reservesNamedElsewhere(at, call.instruction, call.view);
  return pair === null ? IGNORED : LIQUIDITY({ ...call, at: { ...pair, sender: at.sender } });
}

/** The pool's reserves, from another instruction of the transaction that names both. */
function reservesNamedElsewhere(
  at: Readonly<Record<'lb_pair' | 'reserve', number>>,
  { programIndex }: Instruction,
  view: TransactionView,
): Record<'lb_pair' | 'reserve_x' | 'reserve_y', number> | null {
  for (const other of view.transaction.instructions) {
    if (other.programIndex !== programIndex) continue;
    const kind = INSTRUCTIONS.get(other.data);
    if (kind === undefined || kind === 'ignored') continue;
    const { accounts } = meteoraDlmmLayout.instructions[kind];
    if (!('reserve_x' in accounts)) continue;
    const { lb_pair, reserve_x, reserve_y } = accounts;
    const pair = accountsOf(other, { accounts: { lb_pair, reserve_x, reserve_y } });
    const isNamed = pair.reserve_x === at.reserve || pair.reserve_y === at.reserve;
    if (pair.lb_pair === at.lb_pair && isNamed) return pair;
  }
  return null;
}
