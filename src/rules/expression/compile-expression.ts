import type { ASTNode } from '@marcbachmann/cel-js';
import type { RuleScope } from '../features/feature.ts';
import type { FeatureValues } from '../features/read-features.ts';
import { compileNode } from './compile-node.ts';
import { contradictionOf } from './contradictions.ts';
import { ExpressionError } from './expression-error.ts';
import { parseExpression } from './parse-expression.ts';
import { type Gate, isNumeric, type Value } from './term.ts';

/** Upper bound of the operations of one expression. */
export const EXPRESSION_COST_MAX = 400;

/** What an expression has to give: a truth, or a number. */
export type ExpressionKind = 'condition' | 'number';

/** A condition or figure that can be evaluated any number of times. It has no state. */
export interface CompiledExpression {
  readonly text: string;
  /** Null is unknown: a feature that it depends on is, or it divides by zero. */
  readonly evaluate: (values: FeatureValues) => Value | null;
  /** Comparisons without which it is not true, to rule it out before it is evaluated. */
  readonly gates: readonly Gate[];
  /** Indexes of all features that it may read, in order of the registry. */
  readonly features: readonly number[];
  readonly cost: number;
}

/** Where and why an expression was refused; lines and columns of the expression, from 1. */
export interface ExpressionProblem {
  readonly message: string;
  readonly offset: number;
}

/** Compiles a CEL expression over the features of a scope. */
export function compileExpression(
  text: string,
  scope: RuleScope,
  kind: ExpressionKind,
): CompiledExpression | ExpressionProblem {
  try {
    return compileTree(text, parseExpression(text), scope, kind);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return { message: error.message, offset: error.offset };
  }
}

export function isProblem(
  result: CompiledExpression | ExpressionProblem,
): result is ExpressionProblem {
  return 'message' in result;
}

function compileTree(
  text: string,
  tree: ASTNode,
  scope: RuleScope,
  kind: ExpressionKind,
): CompiledExpression {
  const features = new Set<number>();
  const term = compileNode(tree, {
    scope,
    features,
    variables: [],
    locals: [],
    compile: compileNode,
  });
  if (kind === 'condition' && term.type !== 'bool') {
    throw new ExpressionError(
      `A condition must be true or false, this is ${term.type}. Compare it with something.`,
      tree.start,
    );
  }
  if (kind === 'number' && !isNumeric(term.type)) {
    throw new ExpressionError(`A number is needed here, this is ${term.type}.`, tree.start);
  }
  if (term.cost > EXPRESSION_COST_MAX) {
    throw new ExpressionError(
      `The expression may cost ${term.cost} operations, at most ${EXPRESSION_COST_MAX} are allowed. ` +
        'Ask less of each element of a list, or split the rule.',
      tree.start,
    );
  }
  const contradiction = kind === 'condition' ? contradictionOf(tree, scope) : null;
  if (contradiction !== null)
    throw new ExpressionError(contradiction.message, contradiction.offset);
  return {
    text,
    evaluate: term.run,
    gates: term.gates ?? [],
    features: [...features].sort((one, other) => one - other),
    cost: term.cost,
  };
}
