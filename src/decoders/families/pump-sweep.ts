import { BorshReader } from '../../model/borsh-reader.ts';
import type { FeeSweep } from '../../model/chain-event.ts';
import { WRAPPED_SOL } from '../../model/program.ts';
import type { Address, RawAmount } from '../../model/units.ts';
import { type DecodeResult, events, IGNORED, malformed } from '../legs/decoder.ts';
import type { ProgramCall } from '../legs/program-decoder.ts';
import { deltaOf } from '../legs/swap-legs.ts';
import { anchorEvent } from '../transaction/anchor-layout.ts';
import { EVENT_FIELDS_OFFSET } from '../transaction/transaction-view.ts';
import { quoteMintOf } from './pump-trade-event.ts';

/** The event of a payout of fees kept on a curve. */
export const sweepEventLayout = anchorEvent('SweepBondingCurveFeeEvent', [
  'timestamp',
  'mint',
  'bonding_curve',
  'quote_mint',
  'recipient',
  'amount',
  'bucket',
]);

/** The payout of a sweep, in raw units of `quoteMint`. */
export interface PumpSweepEvent {
  readonly curve: Address;
  /** WRAPPED_SOL for curves that hold native SOL. */
  readonly quoteMint: Address;
  readonly amount: bigint;
  /** 0 for the protocol's fees, 1 for the creator's. */
  readonly bucket: number;
}

/**
 * Reads the data of an event, including tag and discriminator; null when they end inside its
 * fields.
 */
export function readSweepEvent(data: Uint8Array): PumpSweepEvent | null {
  const reader = new BorshReader(data, EVENT_FIELDS_OFFSET);
  reader.i64();
  reader.address();
  const curve = reader.address();
  const quoteMint = quoteMintOf(reader.address());
  reader.address();
  const amount = reader.u64();
  const bucket = reader.u8();
  return reader.isShort ? null : { curve, quoteMint, amount, bucket };
}

/** Fee buckets by their number in the event. */
const BUCKETS: readonly FeeSweep['bucket'][] = ['protocol', 'creator'];

/**
 * Reads a payout of fees kept on a curve. It is not a trade and does not change the reserves, which
 * never included them. Tokens are checked here against the outflow of the curve's vault. Lamports
 * leave the curve without an instruction; `settleNativeCurves` checks them against its balance. A
 * sweep of nothing succeeds, emits no event and is ignored.
 */
export function decodeSweep(
  { at, instruction, view }: ProgramCall<'bonding_curve' | 'associated_quote_bonding_curve'>,
  bucket: FeeSweep['bucket'],
): DecodeResult {
  const movements = view.tokenMovementsUnder(instruction);
  const left = -deltaOf(movements, at.associated_quote_bonding_curve);
  const data = view.selfEventOf(instruction, sweepEventLayout.discriminator);
  if (data === null) return left === 0n ? IGNORED : malformed('a sweep without its event');
  const event = readSweepEvent(data);
  if (event === null) return malformed('SweepBondingCurveFeeEvent ends inside its fields');
  const pool = view.transaction.keys.at(at.bonding_curve);
  if (event.curve !== pool) return malformed('event of another curve');
  if (BUCKETS[event.bucket] !== bucket) {
    return malformed(`a sweep of ${bucket} fees whose event has bucket ${event.bucket}`);
  }
  const isNative = left === 0n && event.quoteMint === WRAPPED_SOL;
  if (!isNative && left !== event.amount) {
    return malformed(`event says ${event.amount} swept, ${left} left the curve`);
  }
  if (event.amount === 0n) return IGNORED;
  return events({
    kind: 'feeSweep',
    outerIx: instruction.outerIx,
    innerIx: instruction.innerIx,
    venue: 'pump',
    pool,
    mint: event.quoteMint,
    bucket,
    amountRaw: event.amount as RawAmount,
    poolDelta: 0n as RawAmount,
  });
}
