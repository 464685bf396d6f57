import type { EvidencePayload, TimingPattern } from '../../model/fraud.ts';
import type { TransactionRef } from '../../model/mint-case.ts';
import { byChainOrder } from '../readings/block-order.ts';

/** As many as there are signatures in the evidence of transactions. */
const PLACES_MAX = 50;

/** When these happened, in block order, one entry a transaction. */
export function timingEvidence(
  places: readonly TransactionRef[],
  pattern: TimingPattern,
): EvidencePayload {
  const bySignature = new Map(
    [...places].sort(byChainOrder).map((place) => [place.signature, place]),
  );
  const shown = [...bySignature.values()].slice(0, PLACES_MAX);
  return {
    kind: 'timing',
    timesMs: shown.map(({ timeMs }) => timeMs),
    slots: shown.map(({ slot }) => slot),
    pattern,
  };
}
