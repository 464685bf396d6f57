import { DECODERS } from '../decoders/registry.ts';
import type { ChainEvent } from '../model/chain-event.ts';
import type { TransactionFacts } from '../model/slot-facts.ts';
import type { Swap } from '../model/swap.ts';
import type { Slot } from '../model/units.ts';

/** Position of a transaction; null where the record does not contain it. */
export interface LinePosition {
  readonly slot: Slot | null;
  readonly blockTimeMs: number | null;
}

const PROGRAM_IDS: ReadonlyMap<string, string> = new Map(
  DECODERS.map((decoder) => [decoder.name, decoder.programId]),
);

/** Events of a transaction as JSON lines, all or only those of the given kinds. */
export function canonicalLines(
  facts: TransactionFacts,
  position: LinePosition,
  kinds: ReadonlySet<string> | null,
): string[] {
  const wanted = facts.events.filter((event) => kinds === null || kinds.has(event.kind));
  return wanted.map((event) => canonicalLine(event, facts, position));
}

/** Kind, position, program, then the fields of the event. Raw integers are strings. */
function canonicalLine(event: ChainEvent, facts: TransactionFacts, position: LinePosition): string {
  const { kind, outerIx, innerIx, ...fields } = event;
  const line = {
    kind,
    slot: position.slot,
    blockTime: position.blockTimeMs === null ? null : new Date(position.blockTimeMs).toISOString(),
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

/** Amounts received and paid by the pool's vaults. */
function legsOf({ side, baseMint, quoteMint, poolBaseDelta, poolQuoteDelta }: Swap) {
  const base = poolBaseDelta < 0n ? -poolBaseDelta : poolBaseDelta;
  const quote = poolQuoteDelta < 0n ? -poolQuoteDelta : poolQuoteDelta;
  return side === 'buy'
    ? { mintIn: quoteMint, amountIn: quote, mintOut: baseMint, amountOut: base }
    : { mintIn: baseMint, amountIn: base, mintOut: quoteMint, amountOut: quote };
}
