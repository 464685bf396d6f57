import type { FeatureValue } from '../features/feature.ts';
import type { FeatureValues } from '../features/read-features.ts';

export type ScalarType = 'int' | 'double' | 'bool' | 'string';
export type ListType = 'list<int>' | 'list<double>' | 'list<bool>' | 'list<string>';
export type TermType = ScalarType | ListType;

/** Lists of an expression may hold any scalar. */
export type Value = FeatureValue | readonly (number | boolean | string)[];

/** Evaluates a part of an expression; null is unknown. */
export type Run = (values: FeatureValues) => Value | null;

export type GateOperator = '==' | '<' | '<=' | '>' | '>=';

/** A comparison with a number that must be true for the whole expression to be. */
export interface Gate {
  /** Index of the feature. */
  readonly feature: number;
  readonly op: GateOperator;
  readonly limit: number;
}

/** A compiled part of an expression. */
export interface Term {
  readonly type: TermType;
  readonly run: Run;
  /** The value of a literal, else undefined. */
  readonly constant?: Value | undefined;
  /** The index of a feature that the term only reads. */
  readonly feature?: number | undefined;
  /** Without them the term is not true; there may be none. */
  readonly gates?: readonly Gate[];
  /** Upper bound of the elements of a list. */
  readonly itemsMax: number;
  /** Upper bound of the operations of an evaluation. */
  readonly cost: number;
}

export function isNumeric(type: TermType): type is 'int' | 'double' {
  return type === 'int' || type === 'double';
}

/** The type of a list's elements; null for what is no list. */
export function elementType(type: TermType): ScalarType | null {
  switch (type) {
    case 'list<int>':
      return 'int';
    case 'list<double>':
      return 'double';
    case 'list<bool>':
      return 'bool';
    case 'list<string>':
      return 'string';
    default:
      return null;
  }
}

export function listOf(type: ScalarType): ListType {
  return `list<${type}>`;
}
