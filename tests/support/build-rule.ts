import { type CompiledRule, compileRule } from '../../src/rules/compile-rule.ts';
import type { RuleFile } from '../../src/rules/file/rule-file.ts';
import { canonicalRule } from '../../src/rules/rule-id.ts';

/** A complete rule that is an alert for every pool with a trade, with the given parts replaced. */
export function buildRuleFile(given: Partial<RuleFile> = {}): RuleFile {
  return {
    name: 'any-trade',
    version: 1,
    kind: 'alert',
    title: 'Any trade',
    pattern: 'A pool was traded.',
    rationale: 'None: it is an example.',
    look_alikes: ['Every trade there is.'],
    scope: 'pool_minute',
    when: 'pool.swaps > 0',
    confidence: 0.5,
    evidence: ['pool.swaps'],
    ...given,
  };
}

/** The same, compiled. Throws if it does not compile. */
export function buildRule(given: Partial<RuleFile> = {}): CompiledRule {
  const { value, problems } = compileRule(buildRuleFile(given));
  if (value === null) throw new Error(problems.map(({ message }) => message).join(' '));
  return value;
}

/** Its canonical content. */
export function ruleContent(given: Partial<RuleFile> = {}): string {
  return canonicalRule(buildRuleFile(given));
}
