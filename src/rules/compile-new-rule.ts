import type { ASTNode } from '@marcbachmann/cel-js';
import { type CompiledRule, compileRule } from './compile-rule.ts';
import { parseExpression } from './expression/parse-expression.ts';
import { type RuleSource, readRuleFile } from './file/read-rule-file.ts';
import type { RuleFile } from './file/rule-file.ts';
import { type Checked, type RuleProblem, refused } from './problem.ts';

/**
 * Reads and compiles the text of a rule that is about to be published. More is refused than of one
 * that is published: the log may have older rules, which the fold judges as it always did.
 */
export function compileNewRule(text: string): Checked<CompiledRule> {
  const read = readRuleFile(text);
  if (read.value === null) return read;
  const { file, source } = read.value;
  const compiled = compileRule(file, source);
  if (compiled.value === null) return compiled;
  const problems = expressionsOf(file).flatMap((expression) => zeroDivisions(expression, source));
  return problems.length === 0 ? compiled : refused(problems);
}

interface RuleExpression {
  readonly path: string;
  readonly text: string;
}

function expressionsOf(file: RuleFile): readonly RuleExpression[] {
  const { confidence, sequence = [], reasons = [] } = file;
  return [
    { path: 'when', text: file.when },
    ...sequence.map(({ when }, index) => ({ path: `sequence.${index}.when`, text: when })),
    ...reasons.map(({ when }, index) => ({ path: `reasons.${index}.when`, text: when })),
    ...(typeof confidence === 'number' ? [] : [{ path: 'confidence', text: confidence }]),
  ];
}

function zeroDivisions({ path, text }: RuleExpression, source: RuleSource): RuleProblem[] {
  return nodesOf(parseExpression(text)).flatMap((node) => {
    if (node.op !== '/' && node.op !== '%') return [];
    const [, divisor] = node.args;
    if (!isZero(divisor)) return [];
    const position = source.positionOf(path, divisor.start);
    return {
      path,
      line: position?.line ?? null,
      column: position?.column ?? null,
      message: 'A division by 0 is never known: divide by a feature, or by another number.',
    };
  });
}

function isZero(node: ASTNode): boolean {
  if (node.op === '-_') return isZero(node.args);
  return node.op === 'value' && typeof node.args !== 'string' && Number(node.args) === 0;
}

/** A node and all below it, in the order in which they are written. */
function nodesOf(node: ASTNode): readonly ASTNode[] {
  const parts: readonly unknown[] = Array.isArray(node.args) ? node.args.flat() : [node.args];
  return [node, ...parts.filter(isNode).flatMap(nodesOf)];
}

function isNode(value: unknown): value is ASTNode {
  return typeof value === 'object' && value !== null && 'op' in value;
}
