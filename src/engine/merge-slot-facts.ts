import type {
  OutcomeCounts,
  ProgramOutcomes,
  SlotFacts,
  TransactionFacts,
} from '../model/slot-facts.ts';
import { attachObservations } from './attach-observations.ts';

/**
 * What is known of a slot after a second record of it arrived.
 *
 * A whole block says everything and replaces loose transactions; loose transactions add to each
 * other. Accounts that were read beside the slot stay either way. `addition` must hold only
 * transactions that `held` does not, so that outcomes add up.
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

/** Loose transactions of a slot are ranked by signature, whatever order they came in. */
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
