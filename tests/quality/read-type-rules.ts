import { readFileSync } from 'node:fs';
import { FRAUD_TYPES, type FraudType } from '../../src/model/fraud.ts';
import { type CompiledRule, compileRuleText } from '../../src/rules/compile-rule.ts';
import { problemText } from '../../src/rules/problem.ts';
import type { TypeRules } from './rules-run.ts';

const FOLDER = new URL('../../docs/rules/fraud/', import.meta.url);

/** The built-in types as rules. Throws if one does not compile. */
export function readTypeRules(): TypeRules {
  return Object.fromEntries(
    FRAUD_TYPES.map((type) => [type, readTypeRule(type)]),
  ) as unknown as TypeRules;
}

function readTypeRule(type: FraudType): CompiledRule {
  const file = new URL(`${type.replaceAll('_', '-')}.yaml`, FOLDER);
  const { value, problems } = compileRuleText(readFileSync(file, 'utf8'));
  if (value === null) throw new Error(`${type}: ${problems.map(problemText).join(' ')}`);
  return value;
}
