import type { CreatorChange, FeeSweep } from '../../model/chain-event.ts';
import type { RawAmount } from '../../model/units.ts';
import { type DecodeResult, events, IGNORED, malformed } from '../legs/decoder.ts';
import type { ProgramCall } from '../legs/program-decoder.ts';
import { deltaOf } from '../legs/swap-legs.ts';
import {
  type CoinCreatorFields,
  readCoinCreatorEvent,
  readSweepEvent,
  ZERO_KEY,
} from './pump-amm-events.ts';
import { pumpAmmLayout } from './pump-amm-layout.ts';

/** Buckets of fees as SweepPoolFeeEvent numbers them. */
const BUCKETS = ['protocol', 'creator'] as const;

/** Fees kept in a pool's quote vault are paid out. A sweep of nothing also succeeds. */
export function decodeSweep(
  { at, instruction, view }: ProgramCall<'pool' | 'quote_mint' | 'pool_quote_token_account'>,
  bucket: FeeSweep['bucket'],
): DecodeResult {
  const poolDelta = deltaOf(view.tokenMovementsUnder(instruction), at.pool_quote_token_account);
  const { SweepPoolFeeEvent } = pumpAmmLayout.events;
  const data = view.selfEventOf(instruction, SweepPoolFeeEvent.discriminator);
  const event = data === null ? null : readSweepEvent(data);
  if (data !== null && event === null) return malformed('sweep event ends inside its fields');
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
    amountRaw: -poolDelta as RawAmount,
    poolDelta: poolDelta as RawAmount,
  });
}

const { AdminCtoPoolEvent, AdminSetCoinCreatorEvent, MigratePoolCoinCreatorEvent } =
  pumpAmmLayout.events;
const { SetBondingCurveCoinCreatorEvent, SetMetaplexCoinCreatorEvent } = pumpAmmLayout.events;

/** The events of the instructions that change a pool's coin creator. */
const CREATOR_EVENTS: readonly (CoinCreatorFields & { readonly discriminator: string })[] = [
  { ...AdminCtoPoolEvent, keysBefore: 0, keysBetween: 0, hasOldCreator: true },
  { ...AdminSetCoinCreatorEvent, keysBefore: 1, keysBetween: 0, hasOldCreator: true },
  { ...MigratePoolCoinCreatorEvent, keysBefore: 0, keysBetween: 1, hasOldCreator: true },
  { ...SetBondingCurveCoinCreatorEvent, keysBefore: 0, keysBetween: 1, hasOldCreator: false },
  { ...SetMetaplexCoinCreatorEvent, keysBefore: 0, keysBetween: 1, hasOldCreator: false },
];

/**
 * The receiver of a pool's creator fees changed. Only the event names mint and creator. The call is
 * ignored without an event, and when the receiver is unchanged or the zero key.
 */
export function decodeCreatorChange({ at, instruction, view }: ProgramCall<'pool'>): DecodeResult {
  const pool = view.transaction.keys.at(at.pool);
  for (const fields of CREATOR_EVENTS) {
    const data = view.selfEventOf(instruction, fields.discriminator);
    if (data === null) continue;
    const event = readCoinCreatorEvent(data, fields);
    if (event === null) return malformed('creator event ends inside its fields');
    if (event.pool !== pool) return malformed('creator event of another pool');
    if (event.newCreator === event.oldCreator || event.newCreator === ZERO_KEY) return IGNORED;
    const change: CreatorChange = {
      kind: 'creatorChange',
      outerIx: instruction.outerIx,
      innerIx: instruction.innerIx,
      venue: 'pump_amm',
      mint: event.baseMint,
      pool,
      feeRecipient: event.newCreator,
    };
    return events(change);
  }
  return IGNORED;
}
