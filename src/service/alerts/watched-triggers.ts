import { type FiredForHits, HitBook, type PoolOfTarget } from '../../alerts/triggers/hit-book.ts';
import { type FigureSources, type Fired, TriggerBook } from '../../alerts/triggers/trigger-book.ts';
import type { RuleHit } from '../../model/rule-hit.ts';
import { isOnHits, type StoredTrigger } from '../../model/trigger.ts';

/** The active triggers: those on figures alone in one book, those on hits of rules in another. */
export class WatchedTriggers {
  readonly onFigures: TriggerBook;
  private readonly onHits: HitBook;
  private readonly poolOf: PoolOfTarget;

  constructor(sources: FigureSources, poolOf: PoolOfTarget) {
    this.onFigures = new TriggerBook(sources);
    this.onHits = new HitBook(sources.widerOf);
    this.poolOf = poolOf;
  }

  get size(): number {
    return this.onFigures.size + this.onHits.size;
  }

  /** Watches a trigger as it is now. Returns its firing if its conditions are already true. */
  put(trigger: StoredTrigger): Fired | null {
    this.remove(trigger.key);
    if (!isOnHits(trigger)) return this.onFigures.put(trigger, this.poolOf(trigger.target));
    this.onHits.put(trigger);
    return null;
  }

  remove(key: number): void {
    this.onFigures.remove(key);
    this.onHits.remove(key);
  }

  /** The triggers that fire for hits of a slot, by key. */
  firedForHits(hits: readonly RuleHit[]): readonly FiredForHits[] {
    return this.onHits.judge(hits, this.poolOf);
  }
}
