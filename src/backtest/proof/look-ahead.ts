import type { BacktestHit, LookAheadFault } from '../../model/backtest.ts';
import type { TestedValue, TestedValues } from '../recording/tested-rule.ts';

export const CHECKED_MAX = 50;

/** Up to `count` items, evenly spread, the first and the last among them. */
export function spread<T>(items: readonly T[], count = CHECKED_MAX): readonly T[] {
  if (items.length <= count) return items;
  const step = (items.length - 1) / (count - 1);
  return Array.from({ length: count }, (_, at) => items[Math.round(at * step)] as T);
}

/**
 * Compares the values of a hit with those that the log gives when it ends with the hit's minute.
 * Returns each feature whose value differs: it depends on what came later.
 */
export function lookAheadFaults(
  hit: BacktestHit,
  recorded: TestedValues,
  cut: TestedValues | null,
): readonly LookAheadFault[] {
  return Object.keys(recorded).flatMap((feature) => {
    const [before, after] = [textOf(recorded[feature]), textOf(cut?.[feature])];
    return before === after ? [] : [{ feature, hit, recorded: before, cut: after }];
  });
}

/** JSON writes doubles so that they are read back exactly; null is unknown. */
function textOf(value: TestedValue | undefined): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value);
}
