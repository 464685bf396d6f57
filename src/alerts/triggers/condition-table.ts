import type { PoolFigures } from '../../model/pool-figures.ts';
import type { Condition } from '../../model/trigger.ts';
import { type BoundCondition, bindCondition, isMetExactly } from './condition.ts';

/**
 * Conditions of several triggers on one pool, one behind the other: a slot goes through thousands of
 * them, and what costs then is the memory that has to be reached, not the comparing.
 */
export class ConditionTable {
  /** Of each condition: twice its field, and 1 where the figure is to be above. */
  private readonly codes: number[] = [];
  private readonly thresholds: number[] = [];
  /** Where the conditions of each trigger end. */
  private readonly ends: number[] = [];
  private readonly exact: BoundCondition[] = [];

  get size(): number {
    return this.ends.length;
  }

  /** The next trigger's conditions, all of which must be true; none at all are never true. */
  add(conditions: readonly BoundCondition[]): void {
    for (const condition of conditions) {
      this.codes.push(condition.field * 2 + (condition.isAbove ? 1 : 0));
      this.thresholds.push(condition.rounded);
      this.exact.push(condition);
    }
    this.ends.push(this.codes.length);
  }

  /** Whether the trigger that was added at a place is true. `rounded`: of `roundFigures`. */
  isMet(place: number, rounded: Float64Array, figures: PoolFigures): boolean {
    const { codes, thresholds, ends } = this;
    const start = place === 0 ? 0 : (ends[place - 1] ?? 0);
    const end = ends[place] ?? start;
    for (let at = start; at < end; at++) {
      const code = codes[at] ?? 0;
      const figure = rounded[code >> 1] ?? Number.NaN;
      const threshold = thresholds[at] ?? Number.NaN;
      if ((code & 1) === 1 ? figure > threshold : figure < threshold) continue;
      if (figure !== threshold || !this.isMetExactly(at, figures)) return false;
    }
    return end > start;
  }

  private isMetExactly(at: number, figures: PoolFigures): boolean {
    const condition = this.exact[at];
    return condition !== undefined && isMetExactly(condition, figures);
  }
}

/** A trigger's conditions for pools of certain decimals. */
export function bindConditions(
  conditions: readonly Condition[],
  tokenDecimals: number,
): readonly BoundCondition[] {
  return conditions.map((each) => bindCondition(each, tokenDecimals));
}
