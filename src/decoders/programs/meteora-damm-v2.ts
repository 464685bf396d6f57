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
import { asRawAmount } from '../../model/units.ts';
import { meteoraDammV2Layout } from '../families/meteora-damm-v2-layout.ts';
import { readMeteoraSwapFee, withMeteoraFee } from '../families/meteora-swap-fee.ts';
import { type DecodeResult, events, malformed, resultOf } from '../legs/decoder.ts';
import { liquidity, poolCreated, swapAccounts } from '../legs/pool-readers.ts';
import { type ProgramCall, venueDecoder } from '../legs/program-decoder.ts';
import { readSwap } from '../legs/swap-legs.ts';
import { EVENT_FIELDS_OFFSET } from '../transaction/transaction-view.ts';

const POOL = { pool: 'pool', vaults: ['token_a_vault', 'token_b_vault'] } as const;
const SWAP = {
  ...POOL,
  user: 'payer',
  userAccounts: ['input_token_account', 'output_token_account'],
} as const;
const LIQUIDITY = liquidity({ ...POOL, provider: 'owner' });
const CREATED = poolCreated({ ...POOL, provider: 'creator' });

export const meteoraDammV2 = venueDecoder({
  name: 'meteora_damm_v2',
  programId: 'cpamdpZCGKUy5JxQXB4dcpGPiikHawvSWAd6mEn1sGG',
  layout: meteoraDammV2Layout,
  readers: {
    swap: decodeSwap,
    swap2: decodeSwap,
    add_liquidity: LIQUIDITY,
    remove_liquidity: LIQUIDITY,
    remove_all_liquidity: LIQUIDITY,
    initialize_pool: CREATED,
    initialize_pool_with_dynamic_config: CREATED,
    initialize_customizable_pool: CREATED,
    permanent_lock_position: (call) => decodeLock(call, 'permanent'),
    lock_position: (call) => decodeLock(call, 'locker'),
  },
});

/**
 * Size of the fields before the swap result in EvtSwap2, and the number of fee shares at its end.
 */
const SWAP_RESULT_OFFSET = 32 + 3 + (8 + 8 + 1);
const FEE_SHARE_COUNT = 4;

function decodeSwap(
  call: ProgramCall<keyof typeof meteoraDammV2Layout.instructions.swap.accounts>,
): DecodeResult {
  const { instruction, view } = call;
  const data = view.selfEventOf(instruction, meteoraDammV2Layout.events.EvtSwap2.discriminator);
  const fee = data && readMeteoraSwapFee(data, SWAP_RESULT_OFFSET, FEE_SHARE_COUNT);
  if (data !== null && fee === null) return malformed('swap event ends inside its fields');
  const reading = readSwap(view, instruction, swapAccounts(call, SWAP));
  if (reading.status !== 'event') return resultOf(reading);
  return events(withMeteoraFee(reading.event, fee));
}

function decodeLock(
  { at, instruction, view }: ProgramCall<'pool' | 'owner'>,
  lockKind: LpLock['lockKind'],
): DecodeResult {
  if (at.owner < 0) return malformed('too few accounts');
  const { EvtPermanentLockPosition, EvtLockPosition } = meteoraDammV2Layout.events;
  const isPermanent = lockKind === 'permanent';
  const event = isPermanent ? EvtPermanentLockPosition : EvtLockPosition;
  const data = view.selfEventOf(instruction, event.discriminator);
  if (data === null) return malformed('a lock without its event');
  const amount = isPermanent ? readPermanentLock(data) : readVesting(data);
  if (amount === null) return malformed('lock event ends inside its fields');
  return events({
    kind: 'lpLock',
    outerIx: instruction.outerIx,
    innerIx: instruction.innerIx,
    pool: view.transaction.keys.at(at.pool),
    provider: view.transaction.keys.at(at.owner),
    amountRaw: asRawAmount(amount),
    lockKind,
    unlockTimeMs: null,
  });
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
