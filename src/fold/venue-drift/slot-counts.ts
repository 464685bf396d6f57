import type { ProgramName } from '../../model/program.ts';
import type { DecodeProblem, SlotFacts } from '../../model/slot-facts.ts';
import type { CountedShare, DriftMeasure } from '../../model/venue-change.ts';

/** What one slot says of one program. */
export type SlotShares = Readonly<Record<DriftMeasure, CountedShare>>;

/** By program name, those alone that the slot has instructions or swaps of. */
export type SlotCounts = ReadonlyMap<string, SlotShares>;

/**
 * The shares of a slot. Instructions are those of successful transactions, which are the only ones
 * that are decoded; swaps are events.
 */
export function countSlotShares({ outcomes, transactions }: SlotFacts): SlotCounts {
  const believed = new Map<string, number>();
  for (const { events } of transactions) {
    for (const event of events) {
      if (event.kind !== 'swap' || event.quarantine !== null) continue;
      believed.set(event.venue, (believed.get(event.venue) ?? 0) + 1);
    }
  }
  const counts = new Map<string, SlotShares>();
  for (const program of Object.keys(outcomes) as ProgramName[]) {
    const found = outcomes[program];
    if (found === undefined) continue;
    const { event, ignored, unknown, malformed, quarantined } = found;
    const total = event + ignored + unknown + malformed;
    counts.set(program, {
      unknown: { hits: unknown, total },
      malformed: { hits: malformed, total },
      // Payouts of fees that balances contradict are quarantined too, and are no events.
      quarantined: { hits: quarantined, total: (believed.get(program) ?? 0) + quarantined },
    });
  }
  return counts;
}

/** What a problem counts as; null for one that no program has. */
export function measureOf({ problem, program }: DecodeProblem): DriftMeasure | null {
  if (program === null || problem === 'unexplained') return null;
  return problem === 'failed' ? 'malformed' : problem;
}
