import type { FeatureValue, RuleScope } from './feature.ts';
import { FEATURES, featureIndex, type ScopeReadings } from './registry.ts';

/** Values of features by their index in the registry of a scope; null is unknown. */
export interface FeatureValues {
  at(index: number): FeatureValue | null;
}

/** Reads each feature when it is first asked for, and once. Valid until the state changes. */
export class LazyFeatures<Scope extends RuleScope> implements FeatureValues {
  private readonly features: (typeof FEATURES)[Scope];
  private readonly reading: ScopeReadings[Scope];
  private readonly known: (FeatureValue | null | undefined)[] = [];

  constructor(scope: Scope, reading: ScopeReadings[Scope]) {
    this.features = FEATURES[scope];
    this.reading = reading;
  }

  at(index: number): FeatureValue | null {
    const known = this.known[index];
    return known === undefined ? this.read(index) : known;
  }

  private read(index: number): FeatureValue | null {
    const read = this.features[index]?.read as
      | ((reading: ScopeReadings[Scope]) => FeatureValue | null)
      | undefined;
    const value = finite(read?.(this.reading) ?? null);
    this.known[index] = value;
    return value;
  }
}

/** The named features of a reading, unknown ones as null. Names must be in the registry. */
export function readFeatures<Scope extends RuleScope>(
  scope: Scope,
  reading: ScopeReadings[Scope],
  names: Iterable<string>,
): Readonly<Record<string, FeatureValue | null>> {
  const values = new LazyFeatures(scope, reading);
  const read: Record<string, FeatureValue | null> = {};
  for (const name of names) read[name] = values.at(featureIndex(scope, name) ?? -1);
  return read;
}

/** Values given by name, as a test or a stored row has them; all others are unknown. */
export function givenFeatures(
  scope: RuleScope,
  given: Readonly<Record<string, FeatureValue | null>>,
): FeatureValues {
  const values = FEATURES[scope].map(({ name }) => given[name] ?? null);
  return { at: (index) => values[index] ?? null };
}

function finite(value: FeatureValue | null): FeatureValue | null {
  return typeof value === 'number' && !Number.isFinite(value) ? null : value;
}
