import type { Source, SourceItem } from '../chain/source.ts';
import { decodeBlock } from '../decoders/decode-block.ts';
import type { Engine } from '../engine/engine.ts';
import type { SourceProblem } from '../model/errors.ts';
import type { Classification } from '../model/fraud.ts';
import type { SlotFacts } from '../model/slot-facts.ts';
import type { Slot } from '../model/units.ts';
import type { PublishedFinding } from './read-finding.ts';

/** What blocks alone come to, up to the slot that a finding is of. */
export interface Refolded {
  /** The same finding: of its id, else the surest of its type and token; null when there is none. */
  readonly classification: Classification | null;
  /** The last slot folded; null when there was none. */
  readonly lastSlot: Slot | null;
}

type Wanted = Pick<PublishedFinding, 'id' | 'fraud_type' | 'token_address' | 'slot'>;

/** Folds the blocks of a source into a new engine, which keeps its state in memory. */
export async function refoldFinding(
  source: Source,
  wanted: Wanted,
  engine: Pick<Engine, 'apply'>,
  onProblem: (problem: SourceProblem) => void,
): Promise<Refolded> {
  const found = new Map<string, Classification>();
  let lastSlot: Slot | null = null;
  for await (const item of source) {
    if (item.kind === 'problem') onProblem(item.problem);
    const facts = factsOf(item);
    if (facts === null) continue;
    if (facts.slot > wanted.slot) break;
    lastSlot = facts.slot;
    for (const one of engine.apply(facts).classifications) {
      if (isCandidateFor(one, wanted)) found.set(one.id, one);
    }
  }
  return { classification: found.get(wanted.id) ?? surestOf(found.values()), lastSlot };
}

function factsOf(item: SourceItem): SlotFacts | null {
  if (item.kind === 'block') return decodeBlock(item.block);
  return item.kind === 'facts' ? item.facts : null;
}

function isCandidateFor({ id, finding }: Classification, wanted: Wanted): boolean {
  if (id === wanted.id) return true;
  return finding.fraudType === wanted.fraud_type && finding.mint === wanted.token_address;
}

/** Of equals the first by id. */
function surestOf(found: Iterable<Classification>): Classification | null {
  const [surest] = [...found].sort(
    (one, other) =>
      other.finding.confidence - one.finding.confidence || (one.id < other.id ? -1 : 1),
  );
  return surest ?? null;
}
