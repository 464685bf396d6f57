import type { FeeSweep } from '../../model/chain-event.ts';
import { SYSTEM_PROGRAM } from '../../model/program.ts';
import { type Address, asRawAmount } from '../../model/units.ts';
import { type DecodeResult, events, IGNORED, malformed } from '../legs/decoder.ts';
import type { ProgramCall } from '../legs/program-decoder.ts';
import { deltaOf } from '../legs/swap-legs.ts';
import type { TypedEvent } from '../transaction/anchor-layout.ts';
import { readSelfEvent } from '../transaction/self-event.ts';
import { pumpAmmLayout } from './pump-amm-layout.ts';

/** Buckets of fees as SweepPoolFeeEvent numbers them. */
const BUCKETS = ['protocol', 'creator'] as const;

/** Fees kept in a pool's quote vault are paid out. A sweep of nothing also succeeds. */
export function decodeSweep(
  { at, instruction, view }: ProgramCall<'pool' | 'quote_mint' | 'pool_quote_token_account'>,
  bucket: FeeSweep['bucket'],
): DecodeResult {
  const poolDelta = deltaOf(view.tokenMovementsUnder(instruction), at.pool_quote_token_account);
  const event = readSelfEvent(view, instruction, pumpAmmLayout.events.SweepPoolFeeEvent);
  if (event === 'short') return malformed('sweep event ends inside its fields');
  if (event !== null && (event.amount !== -poolDelta || BUCKETS[event.bucket] !== bucket)) {
    return malformed('sweep event contradicts its transfers');
  }
  if (poolDelta > 0n) return malformed('a sweep that fills the vault');
  if (poolDelta === 0n) return IGNORED;
  return events({
    kind: 'feeSweep',
    outerIx: instruction.outerIx,
    innerIx: instruction.innerIx,
    venue: 'pump_amm',
    pool: view.transaction.keys.at(at.pool),
    mint: view.transaction.keys.at(at.quote_mint),
    bucket,
    amountRaw: asRawAmount(-poolDelta),
    poolDelta: asRawAmount(poolDelta),
  });
}

/** The fields that are read; two of the events do not name the former creator. */
type CreatorEvent = Readonly<Record<'base_mint' | 'pool', Address>> &
  (
    | Readonly<Record<'coin_creator', Address>>
    | Readonly<Record<'old_coin_creator' | 'new_coin_creator', Address>>
  );

/** The events of the instructions that change a pool's coin creator. */
const CREATOR_EVENTS: readonly TypedEvent<CreatorEvent>[] = [
  pumpAmmLayout.events.AdminCtoPoolEvent,
  pumpAmmLayout.events.AdminSetCoinCreatorEvent,
  pumpAmmLayout.events.MigratePoolCoinCreatorEvent,
  pumpAmmLayout.events.SetBondingCurveCoinCreatorEvent,
  pumpAmmLayout.events.SetMetaplexCoinCreatorEvent,
];

/**
 * The receiver of a pool's creator fees changed. Only the event names mint and creator. The call is
 * ignored without an event, and when the receiver is unchanged or the zero key.
 */
export function decodeCreatorChange({ at, instruction, view }: ProgramCall<'pool'>): DecodeResult {
  const pool = view.transaction.keys.at(at.pool);
  for (const layout of CREATOR_EVENTS) {
    const event = readSelfEvent(view, instruction, layout);
    if (event === null) continue;
    if (event === 'short') return malformed('creator event ends inside its fields');
    if (event.pool !== pool) return malformed('creator event of another pool');
    const former = 'coin_creator' in event ? null : event.old_coin_creator;
    const feeRecipient = 'coin_creator' in event ? event.coin_creator : event.new_coin_creator;
    if (feeRecipient === former || feeRecipient === ZERO_KEY) return IGNORED;
    return events({
      kind: 'creatorChange',
      outerIx: instruction.outerIx,
      innerIx: instruction.innerIx,
      venue: 'pump_amm',
      mint: event.base_mint,
      pool,
      feeRecipient,
    });
  }
  return IGNORED;
}

/** The zero key, which means no account, is the address of the system program. */
const ZERO_KEY = SYSTEM_PROGRAM;
