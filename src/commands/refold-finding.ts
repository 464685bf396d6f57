import type { Source } from '../chain/source.ts';
import type { Engine } from '../engine/engine.ts';
import type { SourceProblem } from '../model/errors.ts';
import type { Classification } from '../model/fraud.ts';
import type { Slot } from '../model/units.ts';
import { factsOfItem } from './facts-of-item.ts';
import type { PublishedFinding } from './read-finding.ts';

/** The finding recomputed from blocks, as of its slot. */
export interface Refolded {
  /**
   * The finding with the same ID, otherwise the one of the same type and token with the highest
   * confidence; null if there is none.
   */
  readonly classification: Classification | null;
  /** The last folded slot; null if there was none. */
  readonly lastSlot: Slot | null;
}

type Wanted = Pick<PublishedFinding, 'id' | 'fraud_type' | 'token_address' | 'slot'>;

/** Folds the blocks of a source into an engine. */
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
    const facts = factsOfItem(item);
    if (facts === null) continue;
    if (facts.slot > wanted.slot) break;
    lastSlot = facts.slot;
    for (const one of engine.apply(facts).classifications) {
      if (isCandidateFor(one, wanted)) found.set(one.id, one);
    }
  }
  return { classification: found.get(wanted.id) ?? mostConfidentOf(found.values()), lastSlot };
}

function isCandidateFor({ id, finding }: Classification, wanted: Wanted): boolean {
  if (id === wanted.id) return true;
  return finding.fraudType === wanted.fraud_type && finding.mint === wanted.token_address;
}

/** Highest confidence; ties by ID. */
function mostConfidentOf(found: Iterable<Classification>): Classification | null {
  const [best] = [...found].sort(
    (one, other) =>
      other.finding.confidence - one.finding.confidence || (one.id < other.id ? -1 : 1),
  );
  return best ?? null;
}
