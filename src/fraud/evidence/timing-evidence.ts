import type { EvidencePayload, TimingPattern } from '../../model/fraud.ts';
import type { TransactionRef } from '../../model/mint-case.ts';
import { byChainOrder } from '../readings/block-order.ts';

/** Same as the maximum number of signatures in transaction evidence. */
const TRANSACTIONS_MAX = 50;

/** Times and slots of the transactions, in block order, one entry per transaction. */
export function timingEvidence(
  refs: readonly TransactionRef[],
  pattern: TimingPattern,
): EvidencePayload {
  const bySignature = new Map([...refs].sort(byChainOrder).map((ref) => [ref.signature, ref]));
  const shown = [...bySignature.values()].slice(0, TRANSACTIONS_MAX);
  return {
    kind: 'timing',
    timesMs: shown.map(({ timeMs }) => timeMs),
    slots: shown.map(({ slot }) => slot),
    pattern,
  };
}
