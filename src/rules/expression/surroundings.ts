import type { ASTNode } from '@marcbachmann/cel-js';
import { nearestName } from '../../lib/nearest-name.ts';
import type { RuleScope } from '../features/feature.ts';
import { featureIndex, featuresIn } from '../features/registry.ts';
import { ExpressionError } from './expression-error.ts';
import type { ScalarType, Term, Value } from './term.ts';

/** A variable of `exists`, `all` and the like. */
export interface Variable {
  readonly name: string;
  readonly type: ScalarType;
}

/** What a part of an expression may refer to. */
export interface Surroundings {
  readonly scope: RuleScope;
  /** Collects the features that are read. */
  readonly features: Set<number>;
  readonly variables: readonly Variable[];
  /** Their values during an evaluation, by place in `variables`. */
  readonly locals: (Value | null)[];
  /** Compiles a part. Throws ExpressionError. */
  readonly compile: (node: ASTNode, around: Surroundings) => Term;
}

/** The name of the feature that a node is; null for anything else. */
export function featureName(node: ASTNode): string | null {
  if (node.op !== '.' || node.args[0].op !== 'id') return null;
  return `${node.args[0].args}.${node.args[1]}`;
}

/** The place of a feature in the registry. Throws ExpressionError for an unknown name. */
export function indexOf(name: string, offset: number, scope: RuleScope): number {
  const index = featureIndex(scope, name);
  if (index === null) throw unknownName(name, offset, scope);
  return index;
}

/** Throws for a name that is no feature, with the nearest one. */
export function unknownName(name: string, offset: number, scope: RuleScope): ExpressionError {
  const near = nearestName(
    name,
    featuresIn(scope).map((known) => known.name),
    4,
  );
  const advice =
    near === null
      ? 'See the list of features in the documentation of rules.'
      : `Did you mean ${near}?`;
  return new ExpressionError(
    `There is no feature ${name} for the scope ${scope}. ${advice}`,
    offset,
  );
}
