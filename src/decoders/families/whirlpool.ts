import type { LpLock } from '../../model/chain-event.ts';
import type { Venue } from '../../model/program.ts';
import type { Address, RawAmount } from '../../model/units.ts';
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
import { instructionTable, type ProgramLayout } from '../transaction/program-layout.ts';
import { indexOf, type WhirlpoolCall } from './whirlpool-call.ts';
import { decodeTwoHopSwap, decodeTwoHopSwapV2 } from './whirlpool-two-hop.ts';

/** Readers of the instructions of Orca's Whirlpool program and its forks, by name. */
const READERS: Readonly<Record<string, Reader>> = {
  swap: decodeSwap,
  swap_v2: decodeSwap,
  two_hop_swap: decodeTwoHopSwap,
  two_hop_swap_v2: decodeTwoHopSwapV2,
  increase_liquidity: decodeLiquidity,
  increase_liquidity_v2: decodeLiquidity,
  increase_liquidity_by_token_amounts_v2: decodeLiquidity,
  decrease_liquidity: decodeLiquidity,
  decrease_liquidity_v2: decodeLiquidity,
  reposition_liquidity_v2: decodeLiquidity,
  initialize_pool: decodeInitializePool,
  initialize_pool_v2: decodeInitializePool,
  initialize_pool_with_adaptive_fee: decodeInitializePool,
  lock_position: decodeLockPosition,
};

type Reader = (call: WhirlpoolCall) => DecodeResult;

/**
 * The decoder of Orca's Whirlpool program or of a fork of it. The layout lists the readable
 * instructions that the program has and the positions of their accounts. `readAs` maps an
 * instruction to another one that has the same accounts and is read the same way.
 *
 * Swaps and liquidity changes are read from the transfers between the instruction and the two
 * vaults. The program's own events are written to the log, which may be truncated, and are not
 * needed. A pool is created empty; its first position adds the first liquidity. Positions are not
 * LP tokens. Their earned fees are paid by separate instructions, which do not change liquidity.
 */
export function whirlpoolDecoder(
  venue: Venue,
  programId: Address,
  layout: ProgramLayout,
  readAs: Readonly<Record<string, string>> = {},
): Decoder {
  const table = instructionTable(layout);
  return {
    name: venue,
    programId,
    isVenue: true,
    decode(instruction, view) {
      const name = table.get(instruction.data);
      if (name === undefined) return unknown(instruction.data, 8);
      const found = layout.instructions[name];
      const reader = READERS[readAs[name] ?? name];
      if (found === undefined || reader === undefined) return IGNORED;
      return reader({ venue, instruction, view, layout: found });
    },
  };
}

function decodeSwap(call: WhirlpoolCall): DecodeResult {
  const reading = readSwap(call.view, call.instruction, {
    venue: call.venue,
    pool: indexOf(call, 'whirlpool'),
    vaults: [indexOf(call, 'token_vault_a'), indexOf(call, 'token_vault_b')],
    user: indexOf(call, 'token_authority'),
    userAccounts: [indexOf(call, 'token_owner_account_a'), indexOf(call, 'token_owner_account_b')],
  });
  return resultOf(reading);
}

function decodeLiquidity(call: WhirlpoolCall): DecodeResult {
  const provider = indexOf(call, 'position_authority');
  return resultOf(readLiquidity(call.view, call.instruction, poolAccounts(call, provider)));
}

/**
 * Nodes list the new vaults among the balances, with amount 0. Without them the decimals of the
 * mints are unknown, and the pool is first recorded with its first position or swap.
 */
function decodeInitializePool(call: WhirlpoolCall): DecodeResult {
  const accounts = poolAccounts(call, indexOf(call, 'funder'));
  if (Math.min(...accounts.vaults) < 0) return malformed('too few accounts');
  const reading = readPoolCreated(call.view, call.instruction, accounts);
  return reading.status === 'event' ? events(reading.event) : IGNORED;
}

function poolAccounts(call: WhirlpoolCall, provider: number) {
  return {
    venue: call.venue,
    pool: indexOf(call, 'whirlpool'),
    vaults: [indexOf(call, 'token_vault_a'), indexOf(call, 'token_vault_b')],
    provider,
    lpMint: -1,
  } as const;
}

/** A locked position is a frozen token with a supply of one; the program has no other lock. */
function decodeLockPosition(call: WhirlpoolCall): DecodeResult {
  const pool = indexOf(call, 'whirlpool');
  if (pool < 0) return malformed('too few accounts');
  const { keys } = call.view.transaction;
  const lock: LpLock = {
    kind: 'lpLock',
    outerIx: call.instruction.outerIx,
    innerIx: call.instruction.innerIx,
    pool: keys.at(pool),
    provider: keys.at(indexOf(call, 'position_authority')),
    amountRaw: 1n as RawAmount,
    lockKind: 'permanent',
    unlockTimeMs: null,
  };
  return events(lock);
}
