import type { SlotFacts } from '../model/slot-facts.ts';
import type { Slot } from '../model/units.ts';

/** The fold that refusals are applied to. */
export interface RefusingFold {
  readonly finalSlot: number;
  readonly engine: { isFindingRefused(id: string): boolean };
}

/** Refusals of one slot: more wait for the next. */
const PER_SLOT_MAX = 1_000;

/**
 * Findings that reviews called false or archived, until the fold knows them for good. Each goes into
 * the log with the newest slot, so that a refold applies it at the same slot; a fork that reverts
 * the slot sends it again.
 */
export class FindingRefusals {
  /** By id: the last slot it was attached to, null before. */
  private readonly pending: Map<string, Slot | null>;

  /** `ids` of all refused findings, whether the fold knows them or not. */
  constructor(ids: readonly string[]) {
    this.pending = new Map(ids.map((id) => [id, null]));
  }

  add(id: string): void {
    if (!this.pending.has(id)) this.pending.set(id, null);
  }

  /** The slot, which is about to be applied after all others, with the refusals it lacks. */
  attach(facts: SlotFacts, { finalSlot, engine }: RefusingFold): SlotFacts {
    const ids: string[] = [];
    for (const [id, slot] of this.pending) {
      if (engine.isFindingRefused(id)) {
        if ((slot ?? -1) <= finalSlot) this.pending.delete(id);
        continue;
      }
      if (ids.length === PER_SLOT_MAX) break;
      this.pending.set(id, facts.slot);
      ids.push(id);
    }
    return ids.length === 0 ? facts : withRefusals(facts, ids);
  }

  /** Number of refusals that the fold may still lose. */
  get size(): number {
    return this.pending.size;
  }
}

/** The slot with further refusals, each once. */
export function withRefusals(facts: SlotFacts, ids: readonly string[] = []): SlotFacts {
  const known = facts.refusedFindings ?? [];
  const added = ids.filter((id) => !known.includes(id));
  return added.length === 0 ? facts : { ...facts, refusedFindings: [...known, ...added] };
}
