import type { CompiledRule } from './compile-rule.ts';
import type { CompiledExpression } from './expression/compile-expression.ts';
import type { FeatureValue, RuleScope } from './features/feature.ts';
import type { FeatureValues } from './features/read-features.ts';
import { featuresIn } from './features/registry.ts';

/** What a rule says of the features of one pool, case or cluster. */
export interface Judgement {
  /** Whether the condition is true. */
  readonly passed: boolean;
  /**
   * Why the condition is neither true nor false: the names of its unknown features, or `division by
   * zero`. Empty otherwise.
   */
  readonly unknown: readonly string[];
  /** From 0 to 1; 0 if it did not pass, or if the confidence is unknown. */
  readonly confidence: number;
  /** Sentences that raised or lowered the confidence. */
  readonly reasons: readonly string[];
  /** The features that the rule shows, in its order; empty if it did not pass. */
  readonly evidence: readonly ShownFeature[];
}

export interface ShownFeature {
  readonly name: string;
  readonly value: FeatureValue | null;
}

/** Judges the condition of a rule, without its sequence (`advanceSequence`). Pure. */
export function judge(rule: CompiledRule, values: FeatureValues): Judgement {
  const result = rule.when.evaluate(values);
  if (result === true) return passedWith(rule, values);
  const unknown = result === null ? unknownIn(rule.when, rule.file.scope, values) : [];
  return { passed: false, unknown, confidence: 0, reasons: [], evidence: [] };
}

/** The judgement of a rule whose conditions have all passed. */
export function passedWith(rule: CompiledRule, values: FeatureValues): Judgement {
  const { confidence: base, file } = rule;
  let confidence = typeof base === 'number' ? base : base.evaluate(values);
  const reasons: string[] = [];
  for (const { when, add, reason } of rule.reasons) {
    if (when.evaluate(values) !== true) continue;
    if (typeof confidence === 'number') confidence += add;
    reasons.push(reason);
  }
  const evidence = rule.evidence.map((index) => ({
    name: featuresIn(file.scope)[index]?.name ?? '',
    value: values.at(index),
  }));
  const bounded = typeof confidence === 'number' ? Math.min(1, Math.max(0, confidence)) : 0;
  return { passed: true, unknown: [], confidence: bounded, reasons, evidence };
}

/** Names of the unknown features of an expression that is unknown. */
export function unknownIn(
  { features }: CompiledExpression,
  scope: RuleScope,
  values: FeatureValues,
): readonly string[] {
  const names = features
    .filter((index) => values.at(index) === null)
    .map((index) => featuresIn(scope)[index]?.name ?? '');
  return names.length === 0 ? ['division by zero'] : names;
}
