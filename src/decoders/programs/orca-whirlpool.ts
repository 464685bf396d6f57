/**
 * Orca's concentrated-liquidity pools, program whirLbMi….
 *
 * Swaps and liquidity changes are what the transfers below the instruction did to the two vaults;
 * the program's own events go to the log, which may be cut short, and are not needed. A pool is
 * created empty; its first position brings the first liquidity. Positions are not LP tokens, and
 * the fees they earn are paid by instructions of their own, which change no liquidity.
 */
import type { LpLock } from '../../model/chain-event.ts';
import type { Instruction } from '../../model/instruction.ts';
import type { Address, RawAmount } from '../../model/units.ts';
import {
  type DecodeResult,
  type Decoder,
  events,
  IGNORED,
  malformed,
  resultOf,
  unknown,
} from '../decoder.ts';
import { readLiquidity, readPoolCreated } from '../liquidity-legs.ts';
import { accountsOf, instructionTable } from '../program-layout.ts';
import { readSwap } from '../swap-legs.ts';
import type { TransactionView } from '../transaction-view.ts';
import { whirlpoolLayout } from '../whirlpool-layout.ts';
import { decodeTwoHopSwap, decodeTwoHopSwapV2 } from '../whirlpool-two-hop.ts';

const INSTRUCTIONS = instructionTable(whirlpoolLayout);

export const orcaWhirlpool: Decoder = {
  name: 'orca_whirlpool',
  programId: 'whirLbMiicVdio4qvUfM5KAg6Ct8VwpYzGff3uctyCc' as Address,
  isVenue: true,
  decode(instruction, view) {
    const name = INSTRUCTIONS.get(instruction.data);
    switch (name) {
      case 'swap':
      case 'swap_v2':
        return decodeSwap(name, instruction, view);
      case 'two_hop_swap':
        return decodeTwoHopSwap(instruction, view);
      case 'two_hop_swap_v2':
        return decodeTwoHopSwapV2(instruction, view);
      case 'increase_liquidity':
      case 'increase_liquidity_v2':
      case 'increase_liquidity_by_token_amounts_v2':
      case 'decrease_liquidity':
      case 'decrease_liquidity_v2':
      case 'reposition_liquidity_v2':
        return decodeLiquidity(name, instruction, view);
      case 'initialize_pool':
      case 'initialize_pool_v2':
      case 'initialize_pool_with_adaptive_fee':
        return decodeInitializePool(name, instruction, view);
      case 'lock_position':
        return decodeLockPosition(instruction, view);
      case 'ignored':
        return IGNORED;
      default:
        return unknown(instruction.data, 8);
    }
  },
};

function decodeSwap(
  name: 'swap' | 'swap_v2',
  instruction: Instruction,
  view: TransactionView,
): DecodeResult {
  const at = accountsOf(instruction, whirlpoolLayout.instructions[name]);
  const reading = readSwap(view, instruction, {
    venue: 'orca_whirlpool',
    pool: at.whirlpool,
    vaults: [at.token_vault_a, at.token_vault_b],
    user: at.token_authority,
    userAccounts: [at.token_owner_account_a, at.token_owner_account_b],
  });
  return resultOf(reading);
}

function decodeLiquidity(
  name:
    | `${'increase' | 'decrease'}_liquidity${'' | '_v2'}`
    | 'increase_liquidity_by_token_amounts_v2'
    | 'reposition_liquidity_v2',
  instruction: Instruction,
  view: TransactionView,
): DecodeResult {
  const at = accountsOf(instruction, whirlpoolLayout.instructions[name]);
  const reading = readLiquidity(view, instruction, {
    venue: 'orca_whirlpool',
    pool: at.whirlpool,
    vaults: [at.token_vault_a, at.token_vault_b],
    provider: at.position_authority,
    lpMint: -1,
  });
  return resultOf(reading);
}

/**
 * Nodes list the new vaults among the balances, holding 0. A record without them cannot tell the
 * mints' decimals; the pool is then met with its first position or swap.
 */
function decodeInitializePool(
  name: `initialize_pool${'' | '_v2' | '_with_adaptive_fee'}`,
  instruction: Instruction,
  view: TransactionView,
): DecodeResult {
  const at = accountsOf(instruction, whirlpoolLayout.instructions[name]);
  if (at.token_vault_b < 0) return malformed('too few accounts');
  const reading = readPoolCreated(view, instruction, {
    venue: 'orca_whirlpool',
    pool: at.whirlpool,
    vaults: [at.token_vault_a, at.token_vault_b],
    provider: at.funder,
    lpMint: -1,
  });
  return reading.status === 'event' ? events(reading.event) : IGNORED;
}

/** A locked position is a frozen token of which there is one; the program has no other lock. */
function decodeLockPosition(instruction: Instruction, view: TransactionView): DecodeResult {
  const at = accountsOf(instruction, whirlpoolLayout.instructions.lock_position);
  if (at.whirlpool < 0) return malformed('too few accounts');
  const { keys } = view.transaction;
  const lock: LpLock = {
    kind: 'lpLock',
    outerIx: instruction.outerIx,
    innerIx: instruction.innerIx,
    pool: keys.at(at.whirlpool),
    provider: keys.at(at.position_authority),
    amountRaw: 1n as RawAmount,
    lockKind: 'permanent',
    unlockTimeMs: null,
  };
  return events(lock);
}
