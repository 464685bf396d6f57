import type { PoolFigures } from '../../model/pool-figures.ts';
import type { Condition } from '../../model/trigger.ts';
import { type BoundCondition, bindCondition, isMetExactly } from './condition.ts';

/**
 * The conditions of all triggers on one pool, in contiguous arrays. A slot evaluates thousands of
 * conditions, and memory access, not comparison, dominates the cost.
 */
export class ConditionTable {
  /**
   * One code per condition: twice the field index, plus 1 if the figure must be above the bound.
   */
  private readonly codes: number[] = [];
  private readonly thresholds: number[] = [];
  /** For each trigger, the index after its last condition. */
  private readonly ends: number[] = [];
  private readonly exact: BoundCondition[] = [];

  get size(): number {
    return this.ends.length;
  }

  /** Adds the conditions of one trigger. All must be true; an empty list is never true. */
  add(conditions: readonly BoundCondition[]): void {
    for (const condition of conditions) {
      this.codes.push(condition.field * 2 + (condition.isAbove ? 1 : 0));
      this.thresholds.push(condition.rounded);
      this.exact.push(condition);
    }
    this.ends.push(this.codes.length);
  }

  /** Whether the trigger with this index is true. `rounded` comes from `roundFigures`. */
  isMet(index: number, rounded: Float64Array, figures: PoolFigures): boolean {
    const { codes, thresholds, ends } = this;
    const start = index === 0 ? 0 : (ends[index - 1] ?? 0);
    const end = ends[index] ?? start;
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

/** Binds a trigger's conditions to the decimals of a token. */
export function bindConditions(
  conditions: readonly Condition[],
  tokenDecimals: number,
): readonly BoundCondition[] {
  return conditions.map((each) => bindCondition(each, tokenDecimals));
}
