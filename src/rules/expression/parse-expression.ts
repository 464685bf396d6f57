import { type ASTNode, Environment, ParseError } from '@marcbachmann/cel-js';
import { ExpressionError } from './expression-error.ts';

/** Limits of one expression; larger ones are refused while they are parsed. */
export const EXPRESSION_LENGTH_MAX = 4_000;
export const EXPRESSION_LIMITS = {
  maxAstNodes: 400,
  maxDepth: 24,
  maxListElements: 200,
  maxMapEntries: 0,
  maxCallArguments: 4,
} as const;

const parser = new Environment({ limits: EXPRESSION_LIMITS });

/** The tree of a CEL expression. Throws ExpressionError. */
export function parseExpression(text: string): ASTNode {
  if (text.length > EXPRESSION_LENGTH_MAX) {
    const found = `it has ${text.length} characters, at most ${EXPRESSION_LENGTH_MAX} are allowed`;
    throw new ExpressionError(`The expression is too long: ${found}.`, 0);
  }
  try {
    return parser.parse(text).ast;
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    const message = `The expression is not CEL: ${error.summary}.`;
    throw new ExpressionError(message, error.range?.start ?? 0);
  }
}
