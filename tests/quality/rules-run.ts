import { createReading, detectGroups, findingsOf } from '../../src/fraud/detect/inspect-case.ts';
import { type Finding, FRAUD_TYPES, type FraudType } from '../../src/model/fraud.ts';
import type { MintCase } from '../../src/model/mint-case.ts';
import type { CompiledRule } from '../../src/rules/compile-rule.ts';
import { judgedCase } from '../../src/rules/features/case/judged-case.ts';
import { LazyFeatures } from '../../src/rules/features/read-features.ts';
import { evaluatedCases, FOUND_MIN, type FraudPlan, playPlan } from './fraud-run.ts';

/** One rule for each type. */
export type TypeRules = Readonly<Record<FraudType, CompiledRule>>;

/** How one type came out in the evaluations of a run. */
export interface Compared {
  readonly both: number;
  readonly detectorOnly: number;
  readonly ruleOnly: number;
  /** Of those by the rule alone: the detector's group belongs to another finding. */
  readonly covered: number;
}

/** Detectors and rules in one scenario. */
export interface RulesRun {
  readonly plan: FraudPlan;
  readonly evaluations: number;
  readonly types: Readonly<Record<FraudType, Compared>>;
  /** Of each evaluation, without making the case. */
  readonly detectorsMs: readonly number[];
  readonly rulesMs: readonly number[];
}

/** Plays a scenario and asks detectors and rules in the same evaluations. */
export function compareRun(plan: FraudPlan, rules: TypeRules): RulesRun {
  const { slots, mint } = playPlan(plan);
  return { plan, ...compareCases(evaluatedCases(slots, mint), rules) };
}

/** Asks detectors and rules of each case. A type is found by a finding of FOUND_MIN, or by a pass. */
export function compareCases(cases: Iterable<MintCase>, rules: TypeRules): Omit<RulesRun, 'plan'> {
  const types = Object.fromEntries(
    FRAUD_TYPES.map((type) => [type, { both: 0, detectorOnly: 0, ruleOnly: 0, covered: 0 }]),
  ) as Record<FraudType, { -readonly [Name in keyof Compared]: number }>;
  const detectorsMs: number[] = [];
  const rulesMs: number[] = [];
  for (const mintCase of cases) {
    const began = performance.now();
    const reading = createReading(mintCase);
    const groups = detectGroups(reading);
    const findings = findingsOf(groups);
    const detected = performance.now();
    const values = new LazyFeatures('case', judgedCase(reading, groups));
    const passed = FRAUD_TYPES.filter((type) => rules[type].when.evaluate(values) === true);
    rulesMs.push(performance.now() - detected);
    detectorsMs.push(detected - began);
    for (const type of FRAUD_TYPES) {
      const outcome = outcomeOf({
        isFound: findings.some(isReported(type)),
        isPassed: passed.includes(type),
      });
      if (outcome === null) continue;
      types[type][outcome]++;
      if (outcome === 'ruleOnly' && groups.some(isReported(type))) types[type].covered++;
    }
  }
  return { evaluations: rulesMs.length, types, detectorsMs, rulesMs };
}

function isReported(type: FraudType) {
  return ({ fraudType, confidence }: Finding) => fraudType === type && confidence >= FOUND_MIN;
}

function outcomeOf({
  isFound,
  isPassed,
}: {
  readonly isFound: boolean;
  readonly isPassed: boolean;
}): Exclude<keyof Compared, 'covered'> | null {
  if (isFound) return isPassed ? 'both' : 'detectorOnly';
  return isPassed ? 'ruleOnly' : null;
}
