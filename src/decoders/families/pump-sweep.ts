import type { FeeSweep } from '../../model/chain-event.ts';
import { WRAPPED_SOL } from '../../model/program.ts';
import { asRawAmount } from '../../model/units.ts';
import { type DecodeResult, events, IGNORED, malformed } from '../legs/decoder.ts';
import type { ProgramCall } from '../legs/program-decoder.ts';
import { deltaOf } from '../legs/swap-legs.ts';
import { anchorEvent } from '../transaction/anchor-layout.ts';
import { readSelfEvent } from '../transaction/self-event.ts';
import { quoteMintOf } from './pump-trade-event.ts';

/** The event of a payout of fees kept on a curve. */
export const sweepEventLayout = anchorEvent('SweepBondingCurveFeeEvent', {
  timestamp: 'i64',
  mint: 'pubkey',
  bonding_curve: 'pubkey',
  quote_mint: 'pubkey',
  recipient: 'pubkey',
  amount: 'u64',
  bucket: 'u8',
});

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
  const event = readSelfEvent(view, instruction, sweepEventLayout);
  if (event === null) return left === 0n ? IGNORED : malformed('a sweep without its event');
  if (event === 'short') return malformed('SweepBondingCurveFeeEvent ends inside its fields');
  const { amount } = event;
  const mint = quoteMintOf(event.quote_mint);
  const pool = view.transaction.keys.at(at.bonding_curve);
  if (event.bonding_curve !== pool) return malformed('event of another curve');
  if (BUCKETS[event.bucket] !== bucket) {
    return malformed(`a sweep of ${bucket} fees whose event has bucket ${event.bucket}`);
  }
  const isNative = left === 0n && mint === WRAPPED_SOL;
  if (!isNative && left !== amount) {
    return malformed(`event says ${amount} swept, ${left} left the curve`);
  }
  if (amount === 0n) return IGNORED;
  return events({
    kind: 'feeSweep',
    outerIx: instruction.outerIx,
    innerIx: instruction.innerIx,
    venue: 'pump',
    pool,
    mint,
    bucket,
    amountRaw: asRawAmount(amount),
    poolDelta: asRawAmount(0n),
  });
}
