/**
 * Meteora DAMM v2 pools, program cpamdpZC….
 *
 * Swaps, positions and first liquidity are read from the transfers between the instruction and the
 * pool's two vaults. The program's own events add the fee of a swap, if they show in which token it
 * was taken, and the amount of a position's liquidity that was locked, which moves no token. A lock
 * is permanent, or vesting until a point whose unit (slots or seconds) depends on the pool's
 * settings and is not in the record.
 */

import type { LpLock } from '../../model/chain-event.ts';
import { meteoraDammV2Layout } from '../families/meteora-damm-v2-layout.ts';
import {
  type MeteoraSwapFee,
  meteoraSwapFee,
  withMeteoraFee,
} from '../families/meteora-swap-fee.ts';
import { type DecodeResult, events, malformed, resultOf } from '../legs/decoder.ts';
import { toLpLock } from '../legs/lp-lock.ts';
import { liquidity, poolCreated, swapAccounts } from '../legs/pool-readers.ts';
import { type ProgramCall, venueDecoder, withAllAccounts } from '../legs/program-decoder.ts';
import { readSwap } from '../legs/swap-legs.ts';
import { readSelfEvent } from '../transaction/self-event.ts';

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
    permanent_lock_position: withAllAccounts(decodePermanentLock),
    lock_position: withAllAccounts(decodeVesting),
  },
});

function decodeSwap(
  call: ProgramCall<keyof typeof meteoraDammV2Layout.instructions.swap.accounts>,
): DecodeResult {
  const { instruction, view } = call;
  const event = readSelfEvent(view, instruction, meteoraDammV2Layout.events.EvtSwap2);
  if (event === 'short') return malformed('swap event ends inside its fields');
  const reading = readSwap(view, instruction, swapAccounts(call, SWAP));
  if (reading.status !== 'event') return resultOf(reading);
  return events(withMeteoraFee(reading.event, event && feeOf(event.swap_result)));
}

function feeOf(result: SwapResult): MeteoraSwapFee {
  const { trading_fee, protocol_fee, partner_fee, referral_fee } = result;
  return meteoraSwapFee(result, trading_fee, protocol_fee, partner_fee, referral_fee);
}

type SwapResult = NonNullable<
  ReturnType<typeof meteoraDammV2Layout.events.EvtSwap2.record.read>
>['swap_result'];

function decodePermanentLock(call: ProgramCall<'pool' | 'owner'>): DecodeResult {
  const { instruction, view } = call;
  const layout = meteoraDammV2Layout.events.EvtPermanentLockPosition;
  const event = readSelfEvent(view, instruction, layout);
  const amount = event === null || event === 'short' ? event : event.lock_liquidity_amount;
  return lockOf(call, 'permanent', amount);
}

/** The sum of the amounts unlocked at the cliff and in all periods after it. */
function decodeVesting(call: ProgramCall<'pool' | 'owner'>): DecodeResult {
  const { instruction, view } = call;
  const event = readSelfEvent(view, instruction, meteoraDammV2Layout.events.EvtLockPosition);
  if (event === null || event === 'short') return lockOf(call, 'locker', event);
  const inPeriods = event.liquidity_per_period * BigInt(event.number_of_period);
  return lockOf(call, 'locker', event.cliff_unlock_liquidity + inPeriods);
}

function lockOf(
  call: ProgramCall<'pool' | 'owner'>,
  lockKind: LpLock['lockKind'],
  amount: bigint | null | 'short',
): DecodeResult {
  const { at } = call;
  if (amount === null) return malformed('a lock without its event');
  if (amount === 'short') return malformed('lock event ends inside its fields');
  return events(toLpLock(call, { pool: at.pool, provider: at.owner }, amount, lockKind));
}
