/**
 * Meteora DAMM v2 pools, program cpamdpZC….
 *
 * Swaps, positions and first liquidity are read from the transfers between the instruction and the
 * pool's two vaults. The program's own events add the fee of a swap, if they show in which token it
 * was taken, and the amount of a position's liquidity that was locked, which moves no token. A lock
 * is permanent, or vesting until a point whose unit (slots or seconds) depends on the pool's
 * settings and is not in the record.
 */

import { BorshReader } from '../../model/borsh-reader.ts';
import type { LpLock } from '../../model/chain-event.ts';
import type { Instruction } from '../../model/instruction.ts';
import type { Address, RawAmount } from '../../model/units.ts';
import { meteoraDammV2Layout } from '../families/meteora-damm-v2-layout.ts';
import { readMeteoraSwapFee, withMeteoraFee } from '../families/meteora-swap-fee.ts';
import {
  type DecodeResult,
  type Decoder,
  events,
  IGNORED,
  malformed,
  resultOf,
  unknown,
} from '../legs/decoder.ts';
import { type LiquidityAccounts, readLiquidity, readPoolCreated } from '../legs/liquidity-legs.ts';
import { readSwap } from '../legs/swap-legs.ts';
import { isSelfEvent } from '../transaction/discriminator.ts';
import { accountsOf, eventTable, instructionTable } from '../transaction/program-layout.ts';
import { EVENT_FIELDS_OFFSET, type TransactionView } from '../transaction/transaction-view.ts';

const INSTRUCTIONS = instructionTable(meteoraDammV2Layout);
const EVENTS = eventTable(meteoraDammV2Layout);

export const meteoraDammV2: Decoder = {
  name: 'meteora_damm_v2',
  programId: 'cpamdpZCGKUy5JxQXB4dcpGPiikHawvSWAd6mEn1sGG' as Address,
  isVenue: true,
  decode(instruction, view) {
    const { data } = instruction;
    if (isSelfEvent(data)) {
      return EVENTS.get(data, 8) === undefined ? unknown(data.subarray(8), 8) : IGNORED;
    }
    const kind = INSTRUCTIONS.get(data);
    const { instructions } = meteoraDammV2Layout;
    switch (kind) {
      case 'swap':
      case 'swap2':
        return decodeSwap(instruction, view);
      case 'add_liquidity':
      case 'remove_liquidity':
      case 'remove_all_liquidity': {
        const at = accountsOf(instruction, instructions[kind]);
        return decodeLiquidity(poolAccounts(at, at.owner), instruction, view);
      }
      case 'initialize_pool':
      case 'initialize_pool_with_dynamic_config':
      case 'initialize_customizable_pool': {
        const at = accountsOf(instruction, instructions[kind]);
        return decodeInitialize(poolAccounts(at, at.creator), instruction, view);
      }
      case 'permanent_lock_position':
      case 'lock_position':
        return decodeLock(kind, instruction, view);
      case 'ignored':
        return IGNORED;
      default:
        return unknown(data, 8);
    }
  },
};

/**
 * Size of the fields before the swap result in EvtSwap2, and the number of fee shares at its end.
 */
const SWAP_RESULT_OFFSET = 32 + 3 + (8 + 8 + 1);
const FEE_SHARE_COUNT = 4;

function decodeSwap(instruction: Instruction, view: TransactionView): DecodeResult {
  const { instructions, events: selfEvents } = meteoraDammV2Layout;
  const at = accountsOf(instruction, instructions.swap);
  const data = view.selfEventOf(instruction, selfEvents.EvtSwap2.discriminator);
  const fee = data && readMeteoraSwapFee(data, SWAP_RESULT_OFFSET, FEE_SHARE_COUNT);
  if (data !== null && fee === null) return malformed('swap event ends inside its fields');
  const reading = readSwap(view, instruction, {
    venue: 'meteora_damm_v2',
    pool: at.pool,
    vaults: [at.token_a_vault, at.token_b_vault],
    user: at.payer,
    userAccounts: [at.input_token_account, at.output_token_account],
  });
  if (reading.status !== 'event') return resultOf(reading);
  return events(withMeteoraFee(reading.event, fee));
}

function poolAccounts(
  at: Readonly<Record<'pool' | 'token_a_vault' | 'token_b_vault', number>>,
  provider: number,
): LiquidityAccounts {
  return {
    venue: 'meteora_damm_v2',
    pool: at.pool,
    vaults: [at.token_a_vault, at.token_b_vault],
    provider,
    lpMint: -1,
  };
}

function decodeLiquidity(
  accounts: LiquidityAccounts,
  instruction: Instruction,
  view: TransactionView,
): DecodeResult {
  return resultOf(readLiquidity(view, instruction, accounts));
}

function decodeInitialize(
  accounts: LiquidityAccounts,
  instruction: Instruction,
  view: TransactionView,
): DecodeResult {
  return resultOf(readPoolCreated(view, instruction, accounts));
}

function decodeLock(
  kind: 'permanent_lock_position' | 'lock_position',
  instruction: Instruction,
  view: TransactionView,
): DecodeResult {
  const { instructions, events: selfEvents } = meteoraDammV2Layout;
  const at = accountsOf(instruction, instructions[kind]);
  if (at.owner < 0) return malformed('too few accounts');
  const isPermanent = kind === 'permanent_lock_position';
  const event = isPermanent ? selfEvents.EvtPermanentLockPosition : selfEvents.EvtLockPosition;
  const data = view.selfEventOf(instruction, event.discriminator);
  if (data === null) return malformed('a lock without its event');
  const amount = isPermanent ? readPermanentLock(data) : readVesting(data);
  if (amount === null) return malformed('lock event ends inside its fields');
  const lock: LpLock = {
    kind: 'lpLock',
    outerIx: instruction.outerIx,
    innerIx: instruction.innerIx,
    pool: view.transaction.keys.at(at.pool),
    provider: view.transaction.keys.at(at.owner),
    amountRaw: amount as RawAmount,
    lockKind: isPermanent ? 'permanent' : 'locker',
    unlockTimeMs: null,
  };
  return events(lock);
}

function readPermanentLock(data: Uint8Array): bigint | null {
  const reader = new BorshReader(data, EVENT_FIELDS_OFFSET);
  reader.skip(2 * 32);
  const amount = reader.u128();
  return reader.isShort ? null : amount;
}

/** Sum of the amounts unlocked at the cliff and in all periods after it. */
function readVesting(data: Uint8Array): bigint | null {
  const reader = new BorshReader(data, EVENT_FIELDS_OFFSET);
  reader.skip(4 * 32 + 2 * 8);
  const atCliff = reader.u128();
  const perPeriod = reader.u128();
  const periodCount = reader.u16();
  return reader.isShort ? null : atCliff + perPeriod * BigInt(periodCount);
}
