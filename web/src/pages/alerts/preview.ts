import { parseDecimal, roundDecimal } from '../../format/decimal.ts';
import type { Condition, Figures } from './alert-types.ts';

/** Whether a condition holds now. */
export type Standing = 'true' | 'false' | 'unknown' | 'no value' | 'hit';

/** Compares as the service does: exactly, and equal is neither above nor below. */
export function standingOf({ field, operator, value }: Condition, figures: Figures): Standing {
  if (parseDecimal(value) === null) return 'no value';
  if (field === 'rule_hit_confidence') return 'hit';
  const figure = figures[field];
  const order = figure === null ? null : compare(figure, value);
  if (order === null) return 'unknown';
  const isAbove = operator === 'gt' || operator === 'crosses_above';
  return (isAbove ? order > 0 : order < 0) ? 'true' : 'false';
}

/** What adding the trigger now would do, in a sentence. */
export function previewOf(conditions: readonly Condition[], figures: Figures): string {
  const standings = conditions.map((condition) => standingOf(condition, figures));
  if (standings.includes('no value')) return 'Enter a value for each condition.';
  if (standings.includes('hit')) {
    return 'Would not fire now: it fires in each slot with a hit, while all other conditions hold.';
  }
  const crossing = conditions.find(({ operator }) => operator.startsWith('crosses'));
  if (crossing !== undefined) {
    return conditions.length > 1
      ? 'Would not fire now: it fires in the slot of the crossing, while all other conditions hold.'
      : crossingPreview(standings[0] ?? 'unknown');
  }
  if (standings.includes('false')) {
    const count = standings.filter((one) => one === 'true').length;
    return `Would not fire now: ${count} of ${standings.length} conditions hold.`;
  }
  if (standings.includes('unknown')) return 'Not known: a figure is not known yet.';
  return 'Would fire now, as soon as it is added.';
}

function crossingPreview(standing: Standing): string {
  if (standing === 'unknown') return 'Not known yet; it fires when the figure gets there.';
  return standing === 'true'
    ? 'Would not fire now: the figure is already there. It fires when it comes back to it.'
    : 'Would not fire now; it fires when the figure gets there.';
}

function compare(left: string, right: string): number | null {
  const [a, b] = [parseDecimal(left), parseDecimal(right)];
  if (a === null || b === null) return null;
  const scale = Math.max(a.scale, b.scale);
  const [x, y] = [a, b].map((one) => {
    const { digits, isNegative } = roundDecimal(one, scale);
    return isNegative ? -digits : digits;
  });
  if (x === undefined || y === undefined || x === y) return 0;
  return x < y ? -1 : 1;
}
