import type { ProgramName } from '../../model/program.ts';
import type { DecodeProblem, SlotFacts } from '../../model/slot-facts.ts';
import type { CountedShare, DriftMeasure } from '../../model/venue-change.ts';

/** The counts of one program in one slot. */
export type SlotShares = Readonly<Record<DriftMeasure, CountedShare>>;

/** By program name. Contains only programs with instructions or swaps in the slot. */
export type SlotCounts = ReadonlyMap<string, SlotShares>;

/**
 * Returns the shares of a slot. Only instructions of successful transactions are counted, because
 * only those are decoded; swaps are counted from events.
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
      // Fee payouts that contradict the balances are also quarantined, but produce no event.
      quarantined: { hits: quarantined, total: (believed.get(program) ?? 0) + quarantined },
    });
  }
  return counts;
}

/** The measure that a problem counts toward; null for a problem not specific to a program. */
export function measureOf({ problem, program }: DecodeProblem): DriftMeasure | null {
  if (program === null || problem === 'unexplained') return null;
  return problem === 'failed' ? 'malformed' : problem;
}
