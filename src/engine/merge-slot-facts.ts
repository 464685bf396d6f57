import type {
  OutcomeCounts,
  ProgramOutcomes,
  SlotFacts,
  TransactionFacts,
} from '../model/slot-facts.ts';
import { attachObservations } from './attach-observations.ts';

/**
 * Merges a second record of a slot into the one held.
 *
 * A whole block is complete and replaces loose transactions; loose transactions are combined.
 * Account observations are kept in both cases. `addition` must contain only transactions that
 * `held` does not, because outcomes are summed.
 */
export function mergeSlotFacts(held: SlotFacts, addition: SlotFacts): SlotFacts {
  if (held.isWhole) return held;
  if (addition.isWhole) return attachObservations(addition, held.observations);
  return {
    ...held,
    blockTimeMs: held.blockTimeMs ?? addition.blockTimeMs,
    voteCount: held.voteCount + addition.voteCount,
    transactions: ranked([...held.transactions, ...addition.transactions]),
    outcomes: sumOutcomes(held.outcomes, addition.outcomes),
    poolMovingCount: held.poolMovingCount + addition.poolMovingCount,
    explainedCount: held.explainedCount + addition.explainedCount,
    problems: [...held.problems, ...addition.problems],
  };
}

/** Orders loose transactions of a slot by signature, independent of their order of arrival. */
function ranked(transactions: readonly TransactionFacts[]): TransactionFacts[] {
  return [...transactions]
    .sort((one, other) => (one.signature < other.signature ? -1 : 1))
    .map((transaction, txIndex) => ({ ...transaction, txIndex }));
}

function sumOutcomes(one: OutcomeCounts, other: OutcomeCounts): OutcomeCounts {
  const sum: Partial<Record<keyof OutcomeCounts, ProgramOutcomes>> = {};
  for (const counts of [one, other]) {
    for (const [program, outcomes] of Object.entries(counts)) {
      const name = program as keyof OutcomeCounts;
      sum[name] = addOutcomes(sum[name], outcomes);
    }
  }
  return sum;
}

function addOutcomes(one: ProgramOutcomes | undefined, other: ProgramOutcomes): ProgramOutcomes {
  if (one === undefined) return { ...other };
  return {
    event: one.event + other.event,
    ignored: one.ignored + other.ignored,
    unknown: one.unknown + other.unknown,
    malformed: one.malformed + other.malformed,
    quarantined: one.quarantined + other.quarantined,
  };
}
