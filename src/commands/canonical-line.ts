import { DECODERS } from '../decoders/registry.ts';
import type { ChainEvent } from '../model/chain-event.ts';
import type { TransactionFacts } from '../model/slot-facts.ts';
import type { Swap } from '../model/swap.ts';
import type { Slot } from '../model/units.ts';

/** Where a transaction stood; null where the record does not tell. */
export interface LinePosition {
  readonly slot: Slot | null;
  readonly blockTimeMs: number | null;
}

const PROGRAM_IDS: ReadonlyMap<string, string> = new Map(
  DECODERS.map((decoder) => [decoder.name, decoder.programId]),
);

/** A transaction's events as JSON lines: all of them, or those of the given kinds. */
export function canonicalLines(
  facts: TransactionFacts,
  place: LinePosition,
  kinds: ReadonlySet<string> | null,
): string[] {
  const wanted = facts.events.filter((event) => kinds === null || kinds.has(event.kind));
  return wanted.map((event) => canonicalLine(event, facts, place));
}

/** Kind, place, program, then the event's own fields. Raw integers are strings. */
function canonicalLine(event: ChainEvent, facts: TransactionFacts, place: LinePosition): string {
  const { kind, outerIx, innerIx, ...fields } = event;
  const line = {
    kind,
    slot: place.slot,
    blockTime: place.blockTimeMs === null ? null : new Date(place.blockTimeMs).toISOString(),
    txIndex: facts.isIndexKnown ? facts.txIndex : null,
    outerIx,
    innerIx: innerIx < 0 ? null : innerIx,
    signature: facts.signature,
    ...(event.kind === 'swap' && { terminal: facts.terminal }),
    ...('venue' in event && { program: event.venue, programId: PROGRAM_IDS.get(event.venue) }),
    ...(event.kind === 'swap' && legsOf(event)),
    ...fields,
  };
  return JSON.stringify(line, (_, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  );
}

/** What the pool's vaults received and paid. */
function legsOf({ side, baseMint, quoteMint, poolBaseDelta, poolQuoteDelta }: Swap) {
  const base = poolBaseDelta < 0n ? -poolBaseDelta : poolBaseDelta;
  const quote = poolQuoteDelta < 0n ? -poolQuoteDelta : poolQuoteDelta;
  return side === 'buy'
    ? { mintIn: quoteMint, amountIn: quote, mintOut: baseMint, amountOut: base }
    : { mintIn: baseMint, amountIn: base, mintOut: quoteMint, amountOut: quote };
}
