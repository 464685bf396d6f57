import type { PoolFigures } from '../../model/pool-figures.ts';
import { areMixed, isCrossing, type StoredTrigger, useMarketFigures } from '../../model/trigger.ts';
import { bindCondition, isMetExactly } from './condition.ts';

/** The figures of a target; null while its pool is unknown. */
interface Figures {
  readonly figures: PoolFigures | null;
  readonly isMarketComplete: boolean;
}

/**
 * For the triggers of one target that combine crossings with other conditions: whether the figures
 * of the crossings are on the sides that they cross to. Such a trigger fires only in the slot in which
 * they get there, not when another condition becomes true later.
 */
export class CrossingSides {
  private readonly members = new Map<number, { trigger: StoredTrigger; isThere: boolean }>();

  /** Figures that are not known yet count as being there: they were not seen to cross. */
  add(trigger: StoredTrigger, now: Figures): void {
    if (!areMixed(trigger.conditions)) return;
    this.members.set(trigger.key, { trigger, isThere: sideOf(trigger, now) ?? true });
  }

  remove(key: number): void {
    this.members.delete(key);
  }

  /** Applies the figures of a slot. Returns the triggers that cannot fire in it, by key. */
  judge(now: Figures): ReadonlySet<number> {
    if (this.members.size === 0) return NONE;
    const uncrossed = new Set<number>();
    for (const [key, member] of this.members) {
      const { trigger, isThere } = member;
      if (isThere) uncrossed.add(key);
      member.isThere = sideOf(trigger, now) ?? isThere;
    }
    return uncrossed;
  }
}

const NONE: ReadonlySet<number> = new Set();

/** Null while the trigger cannot be evaluated. */
function sideOf({ conditions }: StoredTrigger, now: Figures): boolean | null {
  const { figures, isMarketComplete } = now;
  if (figures === null) return false;
  if (!isMarketComplete && useMarketFigures(conditions)) return null;
  return conditions
    .filter(isCrossing)
    .every((condition) => isMetExactly(bindCondition(condition, figures.tokenDecimals), figures));
}
