import type { SlotFacts } from '../model/slot-facts.ts';
import type { Slot } from '../model/units.ts';

/** The fold that refusals are applied to; another engine means that slots were folded again. */
export interface RefusingFold {
  readonly finalSlot: number;
  readonly engine: { isFindingRefused(id: string): boolean };
}

/** Refusals of one slot: more wait for the next. */
const PER_SLOT_MAX = 1_000;

/**
 * Findings that reviews called false or archived, until the fold knows them for good. Each goes into
 * the log with the newest slot, so that a refold applies it at the same slot; a fork that reverts
 * the slot sends it again, and so does a refold without the slot, which was of a lost branch.
 */
export class FindingRefusals {
  /** By id: the last slot it was attached to, null before. */
  private readonly pending: Map<string, Slot | null>;
  /** Those that the final state of `compared` has. */
  private settled: string[] = [];
  /** The engine that was compared last. */
  private compared: RefusingFold['engine'] | null = null;

  /** `ids` of all refused findings, whether the fold knows them or not. */
  constructor(ids: readonly string[]) {
    this.pending = new Map(ids.map((id) => [id, null]));
  }

  add(id: string): void {
    if (!this.pending.has(id)) this.pending.set(id, null);
  }

  /** The slot, which is about to be applied after all others, with the refusals it lacks. */
  attach(facts: SlotFacts, { finalSlot, engine }: RefusingFold): SlotFacts {
    if (engine !== this.compared) this.compareAgain();
    this.compared = engine;
    const ids: string[] = [];
    for (const [id, slot] of this.pending) {
      if (engine.isFindingRefused(id)) {
        if ((slot ?? -1) <= finalSlot) this.settle(id);
        continue;
      }
      if (ids.length === PER_SLOT_MAX) break;
      this.pending.set(id, facts.slot);
      ids.push(id);
    }
    return ids.length === 0 ? facts : withRefusals(facts, ids);
  }

  private settle(id: string): void {
    this.pending.delete(id);
    this.settled.push(id);
  }

  private compareAgain(): void {
    for (const id of this.settled) this.pending.set(id, null);
    this.settled = [];
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
