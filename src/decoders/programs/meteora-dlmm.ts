/**
 * Meteora DLMM pools, program LBUZKhRx….
 *
 * Swaps and liquidity are read from the transfers between the instruction and the pool's two
 * reserves; the program's own event only adds the fee. A pool is created empty. Two kinds of
 * instruction name only one reserve. One-sided deposits are read when another instruction of the
 * transaction names the pool's other reserve, and ignored otherwise, since the record then does not
 * show the pool's other token. Limit orders are ignored until a swap fills them.
 */

import { BorshReader } from '../../model/borsh-reader.ts';
import type { Instruction } from '../../model/instruction.ts';
import type { Address, RawAmount } from '../../model/units.ts';
import { meteoraDlmmLayout } from '../families/meteora-dlmm-layout.ts';
import {
  type DecodeResult,
  type Decoder,
  events,
  IGNORED,
  malformed,
  resultOf,
  unknown,
} from '../legs/decoder.ts';
import { readLiquidity, readPoolCreated } from '../legs/liquidity-legs.ts';
import { readSwap } from '../legs/swap-legs.ts';
import { isSelfEvent } from '../transaction/discriminator.ts';
import { accountsOf, eventTable, instructionTable } from '../transaction/program-layout.ts';
import { EVENT_FIELDS_OFFSET, type TransactionView } from '../transaction/transaction-view.ts';

const INSTRUCTIONS = instructionTable(meteoraDlmmLayout);
const EVENTS = eventTable(meteoraDlmmLayout);

export const meteoraDlmm: Decoder = {
  name: 'meteora_dlmm',
  programId: 'LBUZKhRxPF3XUpBCjp4YzTKgLccjZhTSDM9YuVaPwxo' as Address,
  isVenue: true,
  decode(instruction, view) {
    const { data } = instruction;
    if (isSelfEvent(data)) {
      return EVENTS.get(data, 8) === undefined ? unknown(data.subarray(8), 8) : IGNORED;
    }
    const kind = INSTRUCTIONS.get(data);
    const { instructions } = meteoraDlmmLayout;
    switch (kind) {
      case 'swap':
      case 'swap2':
      case 'swap_exact_out':
      case 'swap_exact_out2':
      case 'swap_with_price_impact':
      case 'swap_with_price_impact2':
        return decodeSwap(instruction, view);
      case 'add_liquidity':
      case 'add_liquidity2':
      case 'add_liquidity_by_weight':
      case 'add_liquidity_by_weight2':
      case 'add_liquidity_by_strategy':
      case 'add_liquidity_by_strategy2':
      case 'remove_liquidity':
      case 'remove_liquidity2':
      case 'remove_all_liquidity':
      case 'remove_liquidity_by_range':
      case 'remove_liquidity_by_range2': {
        const at = accountsOf(instruction, instructions[kind]);
        return decodeLiquidity({ ...at, provider: at.sender }, instruction, view);
      }
      case 'rebalance_liquidity': {
        const at = accountsOf(instruction, instructions.rebalance_liquidity);
        return decodeLiquidity({ ...at, provider: at.owner }, instruction, view);
      }
      case 'add_liquidity_one_side':
      case 'add_liquidity_by_strategy_one_side':
      case 'add_liquidity_one_side_precise':
      case 'add_liquidity_one_side_precise2':
        return decodeOneSide(accountsOf(instruction, instructions[kind]), instruction, view);
      case 'initialize_lb_pair':
      case 'initialize_lb_pair2':
      case 'initialize_customizable_permissionless_lb_pair':
      case 'initialize_customizable_permissionless_lb_pair2': {
        const at = accountsOf(instruction, instructions[kind]);
        return decodeInitialize({ ...at, provider: at.funder }, instruction, view);
      }
      case 'initialize_permission_lb_pair': {
        const at = accountsOf(instruction, instructions.initialize_permission_lb_pair);
        return decodeInitialize({ ...at, provider: at.admin }, instruction, view);
      }
      case 'ignored':
        return IGNORED;
      default:
        return unknown(data, 8);
    }
  },
};

function decodeSwap(instruction: Instruction, view: TransactionView): DecodeResult {
  const { instructions, events: selfEvents } = meteoraDlmmLayout;
  const at = accountsOf(instruction, instructions.swap);
  const data = view.selfEventOf(instruction, selfEvents.Swap.discriminator);
  const fee = data === null ? null : readFee(data);
  if (data !== null && fee === null) return malformed('swap event ends inside its fields');
  const reading = readSwap(view, instruction, {
    venue: 'meteora_dlmm',
    pool: at.lb_pair,
    vaults: [at.reserve_x, at.reserve_y],
    user: at.user,
    userAccounts: [at.user_token_in, at.user_token_out],
  });
  if (reading.status !== 'event') return resultOf(reading);
  const { event: swap } = reading;
  // Up to version 0.9 the fee is in the input token. Later versions may take it from either token,
  // as stated in a second event.
  const isLater = view.selfEventOf(instruction, selfEvents.Swap2Evt.discriminator) !== null;
  const isInQuote = swap.side === 'buy' && !isLater;
  return events(isInQuote ? { ...swap, feeQuoteRaw: fee } : swap);
}

/** The whole fee, including the protocol's share. */
function readFee(data: Uint8Array): RawAmount | null {
  const reader = new BorshReader(data, EVENT_FIELDS_OFFSET);
  reader.skip(2 * 32 + 2 * 4 + 2 * 8 + 1);
  const fee = reader.u64();
  return reader.isShort ? null : (fee as RawAmount);
}

interface PairAccounts {
  readonly lb_pair: number;
  readonly reserve_x: number;
  readonly reserve_y: number;
  readonly provider: number;
}

function decodeLiquidity(
  at: PairAccounts,
  instruction: Instruction,
  view: TransactionView,
): DecodeResult {
  const reading = readLiquidity(view, instruction, {
    venue: 'meteora_dlmm',
    pool: at.lb_pair,
    vaults: [at.reserve_x, at.reserve_y],
    provider: at.provider,
    lpMint: -1,
  });
  return resultOf(reading);
}

function decodeOneSide(
  at: Readonly<Record<'lb_pair' | 'reserve' | 'sender', number>>,
  instruction: Instruction,
  view: TransactionView,
): DecodeResult {
  if (Math.min(at.lb_pair, at.reserve, at.sender) < 0) return malformed('too few accounts');
  const pair = reservesNamedElsewhere(at, instruction, view);
  if (pair === null) return IGNORED;
  return decodeLiquidity({ ...pair, provider: at.sender }, instruction, view);
}

/** The pool's reserves, from another instruction of the transaction that names both. */
function reservesNamedElsewhere(
  at: Readonly<Record<'lb_pair' | 'reserve', number>>,
  { programIndex }: Instruction,
  view: TransactionView,
): Omit<PairAccounts, 'provider'> | null {
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

/**
 * Nodes list the new reserves among the balances, with amount 0. Without them the decimals of the
 * mints are unknown, and the pool is first recorded with its first position or swap.
 */
function decodeInitialize(
  at: PairAccounts,
  instruction: Instruction,
  view: TransactionView,
): DecodeResult {
  if (Math.min(...Object.values(at)) < 0) return malformed('too few accounts');
  const reading = readPoolCreated(view, instruction, {
    venue: 'meteora_dlmm',
    pool: at.lb_pair,
    vaults: [at.reserve_x, at.reserve_y],
    provider: at.provider,
    lpMint: -1,
  });
  return reading.status === 'event' ? events(reading.event) : IGNORED;
}
