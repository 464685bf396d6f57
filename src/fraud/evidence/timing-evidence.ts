import type { EvidencePayload, TimingPattern } from '../../model/fraud.ts';
import type { CasePlace } from '../../model/mint-case.ts';
import { byPlace } from '../readings/block-order.ts';

/** As many as there are signatures in the evidence of transactions. */
const PLACES_MAX = 50;

/** When these happened, in block order, one entry a transaction. */
export function timingEvidence(
  places: readonly CasePlace[],
  pattern: TimingPattern,
): EvidencePayload {
  const bySignature = new Map([...places].sort(byPlace).map((place) => [place.signature, place]));
  const shown = [...bySignature.values()].slice(0, PLACES_MAX);
  return {
    kind: 'timing',
    timesMs: shown.map(({ timeMs }) => timeMs),
    slots: shown.map(({ slot }) => slot),
    pattern,
  };
}
