import type { Moment } from '../../fold/market/logical-time.ts';
import type { ObjectFormat } from '../../lib/object-map.ts';
import type { UndoLog } from '../../lib/undo-log.ts';
import type { ChainEventKind } from '../../model/chain-event.ts';
import type { ProgramName } from '../../model/program.ts';
import type {
  DecodeProblemKind,
  OutcomeCounts,
  ProgramOutcomes,
  SlotFacts,
} from '../../model/slot-facts.ts';
import type { Address, Slot } from '../../model/units.ts';

/** Counts of what an engine processed since its first slot. */
export interface EngineCounters {
  slots: number;
  /**
   * Slots that do not follow the previously applied slot, or are loose transactions instead of a
   * whole block: each is a gap in the history.
   */
  unlinkedSlots: number;
  /** Slots without a block time that use the time of a slot shortly before. */
  estimatedTimeSlots: number;
  /** Slots without a block time and without a recent one: their swaps are in no candle. */
  unknownTimeSlots: number;
  /** Non-vote transactions, failed ones included. */
  transactions: number;
  failedTransactions: number;
  votes: number;
  quarantinedSwaps: number;
  bundledTransactions: number;
  readonly events: Record<ChainEventKind, number>;
  /** Instructions and transactions that could not be verified or decoded, by problem. */
  readonly problems: Record<DecodeProblemKind, number>;
  /** Transactions that moved tokens through a pool, and those fully explained by events. */
  poolMovingTransactions: number;
  explainedTransactions: number;
  /** Instructions of each program by outcome. */
  readonly outcomes: Partial<Record<ProgramName, ProgramOutcomes>>;
  /** Inferred swaps of each program without a decoder, for a bounded number of programs. */
  readonly inferredPrograms: Map<Address, number>;
}

/** The order in which programs were first seen is not part of the counters. */
export const COUNTERS_FORMAT: ObjectFormat<EngineCounters> = {
  name: 'counters 1',
  encode({ outcomes, inferredPrograms, ...counts }) {
    const inferred = [...inferredPrograms].sort(byName);
    return JSON.stringify({ counts, outcomes: Object.entries(outcomes).sort(byName), inferred });
  },
  decode(text) {
    const { counts, outcomes, inferred } = JSON.parse(text) as StoredCounters;
    return {
      ...counts,
      outcomes: Object.fromEntries(outcomes),
      inferredPrograms: new Map(inferred),
    };
  },
};

interface StoredCounters {
  readonly counts: Omit<EngineCounters, 'outcomes' | 'inferredPrograms'>;
  readonly outcomes: readonly (readonly [ProgramName, ProgramOutcomes])[];
  readonly inferred: readonly (readonly [Address, number])[];
}

function byName([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}

/** Links a slot to the next one. */
export interface SlotLink {
  readonly slot: Slot;
  readonly blockhash: string | null;
}

export function createCounters(): EngineCounters {
  return {
    slots: 0,
    unlinkedSlots: 0,
    estimatedTimeSlots: 0,
    unknownTimeSlots: 0,
    transactions: 0,
    failedTransactions: 0,
    votes: 0,
    quarantinedSwaps: 0,
    bundledTransactions: 0,
    events: {
      swap: 0,
      tokenTransfer: 0,
      solTransfer: 0,
      mintCreated: 0,
      metadataSet: 0,
      launch: 0,
      poolCreated: 0,
      curveComplete: 0,
      migrate: 0,
      liquidity: 0,
      lpLock: 0,
      tokenLock: 0,
      mintExtension: 0,
      authority: 0,
      feeSweep: 0,
      poolBoost: 0,
      creatorChange: 0,
    },
    problems: { unknown: 0, malformed: 0, quarantined: 0, unexplained: 0, failed: 0 },
    poolMovingTransactions: 0,
    explainedTransactions: 0,
    outcomes: {},
    inferredPrograms: new Map(),
  };
}

/** Records all counters in the undo log, before a slot is counted. */
export function keepCounters(undo: UndoLog, counters: EngineCounters): void {
  if (!undo.isOpen) return;
  const { events, problems, outcomes } = counters;
  for (const record of [counters, events, problems, outcomes, ...Object.values(outcomes)]) {
    undo.keep(record);
  }
}

/** Counts a slot; `previous` is the slot applied before it, null for the first. */
export function countSlot(
  counters: EngineCounters,
  facts: SlotFacts,
  at: Moment,
  previous: SlotLink | null,
): void {
  counters.slots++;
  counters.votes += facts.voteCount;
  if (!isLinked(facts, previous)) counters.unlinkedSlots++;
  if (!at.isTimeKnown) counters.unknownTimeSlots++;
  else if (facts.blockTimeMs === null) counters.estimatedTimeSlots++;
  counters.poolMovingTransactions += facts.poolMovingCount;
  counters.explainedTransactions += facts.explainedCount;
  for (const { problem } of facts.problems) counters.problems[problem]++;
  addOutcomes(counters, facts.outcomes);
  for (const { error, events } of facts.transactions) {
    counters.transactions++;
    if (error !== null) {
      counters.failedTransactions++;
      continue;
    }
    for (const event of events) {
      counters.events[event.kind]++;
      if (event.kind === 'swap' && event.quarantine !== null) counters.quarantinedSwaps++;
    }
  }
}

/** Compares hashes if both are known: a slot number alone does not distinguish forks. */
function isLinked(facts: SlotFacts, previous: SlotLink | null): boolean {
  if (!facts.isWhole) return false;
  if (previous === null) return true;
  if (facts.previousBlockhash !== null && previous.blockhash !== null) {
    return facts.previousBlockhash === previous.blockhash;
  }
  return facts.parentSlot === previous.slot;
}

function addOutcomes({ outcomes }: EngineCounters, added: OutcomeCounts): void {
  for (const program of Object.keys(added) as ProgramName[]) {
    const more = added[program];
    if (more === undefined) continue;
    outcomes[program] ??= { event: 0, ignored: 0, unknown: 0, malformed: 0, quarantined: 0 };
    const sum = outcomes[program];
    sum.event += more.event;
    sum.ignored += more.ignored;
    sum.unknown += more.unknown;
    sum.malformed += more.malformed;
    sum.quarantined += more.quarantined;
  }
}
