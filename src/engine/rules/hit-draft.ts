import type { HitKind, RuleHit } from '../../model/rule-hit.ts';
import type { Judgement } from '../../rules/judge.ts';
import type { ActiveRule } from './active-rule.ts';

/** The parts of a hit that the rule and its judgement give. */
export function hitDraft(
  { author, rule }: ActiveRule,
  { confidence, reasons, evidence }: Judgement,
) {
  const { name, version, kind, label } = rule.file;
  return {
    ...{ author, name, version, hash: rule.hash },
    // Every kind of a rule is one of its hits.
    ...{ kind: kind satisfies HitKind, label: label ?? null },
    ...{ confidence, reasons, evidence },
  } satisfies Partial<RuleHit>;
}
