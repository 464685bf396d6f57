/** Value of a feature. Whole numbers up to 2^53 and fractions are both numbers. */
export type FeatureValue = number | boolean | string | readonly number[];

export type FeatureType = 'number' | 'bool' | 'text' | 'numbers';

/** What a rule is judged on: a pool traded in an ended minute, a mint's case, a cluster of it. */
export const RULE_SCOPES = ['pool_minute', 'case', 'cluster'] as const;

export type RuleScope = (typeof RULE_SCOPES)[number];

/** One figure that conditions can name. Its meaning never changes; another meaning is another name. */
export interface FeatureCard {
  /** `group.figure`. */
  readonly name: string;
  readonly type: FeatureType;
  /** Null for what has none. */
  readonly unit: string | null;
  /** A sentence. */
  readonly description: string;
  /** The first version of the record of features that has it. */
  readonly since: number;
  /** Smallest and largest possible value; null is an open end. */
  readonly range: readonly [least: number | null, most: number | null];
  /** Largest number of elements of a list; 1 for everything else. */
  readonly itemsMax: number;
  /** Of reading it, in comparisons of two numbers. */
  readonly cost: number;
}

/** A feature with how it is read. */
export interface Feature<Reading> extends FeatureCard {
  /** Null if unknown. */
  readonly read: (reading: Reading) => FeatureValue | null;
}

/** Optional parts of a feature. */
export interface FeatureOptions {
  readonly range?: readonly [number | null, number | null];
  readonly itemsMax?: number;
  readonly cost?: number;
  readonly since?: number;
}

const COUNT = [0, null] as const;
const SHARE = [0, 1] as const;

/** Builders, so that a registry has one line for each feature. */
export function featuresOf<Reading>() {
  type Read<T> = (reading: Reading) => T | null;
  const feature =
    (type: FeatureType, range: Feature<Reading>['range'], fixedUnit?: string | null) =>
    (unit: string | null) =>
    (name: string, description: string, read: Read<FeatureValue>, options: FeatureOptions = {}) =>
      ({
        name,
        type,
        unit: fixedUnit === undefined ? unit : fixedUnit,
        description,
        since: options.since ?? 1,
        range: options.range ?? range,
        itemsMax: options.itemsMax ?? 1,
        cost: options.cost ?? 1,
        read,
      }) satisfies Feature<Reading>;
  return {
    /** A number with a unit, of any sign. */
    number: feature('number', [null, null]),
    /** 0 or more, with a unit. */
    amount: feature('number', COUNT),
    /** A whole number of things. */
    count: feature('number', COUNT, 'count')(null),
    /** 0 to 1. */
    share: feature('number', SHARE, 'share')(null),
    /** A quotient, 0 or more. */
    ratio: feature('number', COUNT, 'ratio')(null),
    bool: feature('bool', [null, null], null)(null),
    text: feature('text', [null, null], null)(null),
    numbers: feature('numbers', [null, null]),
  };
}
