import type { CardEntry } from './detector.ts';
import type { ScoringTable } from './score.ts';

/** Conditions that must all hold, by name. */
export type Gates = Readonly<Record<string, CardEntry>>;

/** The thresholds of a detector for its card: gates, ramps and weights by name. */
export function cardThresholds(
  gates: Gates,
  { bias, rules }: ScoringTable<string>,
): Readonly<Record<string, CardEntry>> {
  const thresholds: Record<string, CardEntry> = { ...gates };
  for (const [name, { weight, ramp, reason }] of Object.entries(rules)) {
    thresholds[name] = { value: ramp ?? [0, 1], reason };
    thresholds[`${name}Weight`] = { value: weight, reason };
  }
  const reason = 'Without any sign the case is improbable: the base rate, as a logit.';
  return { ...thresholds, bias: { value: bias, reason } };
}
