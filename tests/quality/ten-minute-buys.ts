import { CONTROL_MODEL } from '../../src/model/signal.ts';
import type { Candidate } from './signal-market.ts';

const MINUTE_MS = 60_000;
/** A token is bought at the first minute of this age; not at all if none is traded in time. */
const AGE_MS = { from: 10 * MINUTE_MS, below: 20 * MINUTE_MS } as const;

/**
 * The baseline that needs no model: each token is bought once, at its first minute without a veto
 * from ten minutes after its launch on.
 */
export function tenMinuteBuys(candidates: readonly Candidate[]): Candidate[] {
  const bought = new Set<string>();
  return candidates
    .filter(({ signal: { model, ageMs } }) => {
      if (model !== CONTROL_MODEL || ageMs === null) return false;
      return ageMs >= AGE_MS.from && ageMs < AGE_MS.below;
    })
    .toSorted(({ signal: one }, { signal: other }) => one.createdAtMs - other.createdAtMs)
    .filter(({ signal: { mint } }) => {
      if (bought.has(mint)) return false;
      bought.add(mint);
      return true;
    });
}
