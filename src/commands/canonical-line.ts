import type { ChainEvent, Swap } from '../model/chain-event.ts';
import type { TransactionFacts } from '../model/slot-facts.ts';
import type { Slot } from '../model/units.ts';

/** Where a transaction stood; null where the record does not tell. */
export interface LinePlace {
  readonly slot: Slot | null;
  readonly blockTimeMs: number | null;
}

/**
 * One canonical event as one JSON object: raw integers as strings, in the order kind, place,
 * program, then the event's own fields. Swaps also say what entered and what left the pool.
 */
export function canonicalLine(
  event: ChainEvent,
  facts: TransactionFacts,
  place: LinePlace,
  programIdOf: (venue: string) => string | null,
): string {
  const { kind, outerIx, innerIx, ...fields } = event;
  const program = 'venue' in event ? event.venue : null;
  return JSON.stringify(
    {
      kind,
      slot: place.slot,
      blockTime: place.blockTimeMs === null ? null : new Date(place.blockTimeMs).toISOString(),
      txIndex: facts.isIndexKnown ? facts.txIndex : null,
      outerIx,
      innerIx: innerIx < 0 ? null : innerIx,
      signature: facts.signature,
      ...(program !== null && { program, programId: programIdOf(program) }),
      ...(event.kind === 'swap' && legsOf(event)),
      ...fields,
    },
    (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value),
  );
}

/** What the pool's vaults received and paid. */
function legsOf(swap: Swap) {
  const isBuy = swap.side === 'buy';
  const base = swap.poolBaseDelta < 0n ? -swap.poolBaseDelta : swap.poolBaseDelta;
  const quote = swap.poolQuoteDelta < 0n ? -swap.poolQuoteDelta : swap.poolQuoteDelta;
  return {
    mintIn: isBuy ? swap.quoteMint : swap.baseMint,
    amountIn: isBuy ? quote : base,
    mintOut: isBuy ? swap.baseMint : swap.quoteMint,
    amountOut: isBuy ? base : quote,
  };
}
