import type { Address } from '../../model/units.ts';
import type { ModelReading } from '../../signals/features/signal-model.ts';

/** Value of a feature; null is unknown. */
export type TestedValue = number | boolean | string | readonly number[] | null;

/** A feature as it is read at the end of a minute. */
export interface TestedFeature {
  readonly name: string;
  readonly read: (reading: ModelReading) => TestedValue;
}

export type TestedValues = Readonly<Record<string, TestedValue>>;

/** Whether a rule passes for a pool that was traded in a minute. Called in order of time. */
export type RuleJudge = (values: TestedValues, pool: Address, minuteMs: number) => boolean;

/** A rule as a backtest needs it. */
export interface TestedRule {
  /** `name@version+hash`. */
  readonly id: string;
  /** Names of the features that it reads. */
  readonly features: readonly string[];
  /** Minimum time between two hits of a token. */
  readonly coolDownMs: number;
  /** A judge that has seen nothing yet. */
  readonly begin: () => RuleJudge;
}

/**
 * A value as text, which is the same for equal values and no others: JSON writes doubles so that they
 * are read back exactly. Null is unknown.
 */
export function textOf(value: TestedValue | undefined): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value);
}

/** The values of features at the end of a minute. */
export function valuesOf(features: readonly TestedFeature[], reading: ModelReading): TestedValues {
  return Object.fromEntries(features.map(({ name, read }) => [name, read(reading)]));
}
