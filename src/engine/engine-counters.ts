import type { ChainEventKind } from '../model/chain-event.ts';
import type { SlotFacts } from '../model/slot-facts.ts';

/** What went through an engine. Counts since its first slot. */
export interface EngineCounters {
  slots: number;
  /** Slots without a block time of their own. */
  estimatedTimeSlots: number;
  /** Non-vote transactions, failed ones included. */
  transactions: number;
  failedTransactions: number;
  votes: number;
  quarantinedSwaps: number;
  bundledTransactions: number;
  readonly events: Record<ChainEventKind, number>;
}

export function createCounters(): EngineCounters {
  return {
    slots: 0,
    estimatedTimeSlots: 0,
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
      authority: 0,
    },
  };
}

export function countSlot(counters: EngineCounters, facts: SlotFacts): void {
  counters.slots++;
  counters.votes += facts.voteCount;
  if (facts.blockTimeMs === null) counters.estimatedTimeSlots++;
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
