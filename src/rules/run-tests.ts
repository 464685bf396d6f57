import type { CompiledRule } from './compile-rule.ts';
import { type FeatureValues, givenFeatures } from './features/read-features.ts';
import { featureIndex } from './features/registry.ts';
import type { RuleTest } from './file/rule-test.ts';
import { judge, passedWith } from './judge.ts';
import { advanceSequence, type SequenceState } from './sequence.ts';

const MINUTE_MS = 60_000;

/** The result of a test that travels with a rule. */
export interface RuleTestResult {
  readonly name: string;
  /** Null if it is as expected, else a sentence. */
  readonly problem: string | null;
}

const GIVEN = ['features', 'minutes', 'scenario', 'slots'] as const;

/** Whether slots have to be folded for a test. Only a command does so. */
export function isBySlots({ scenario, slots }: RuleTest): boolean {
  return scenario !== undefined || slots !== undefined;
}

/** Runs the tests of a rule that give features; those by slots are left out. Pure. */
export function runRuleTests(rule: CompiledRule): readonly RuleTestResult[] {
  return (rule.file.tests ?? [])
    .filter((test) => !isBySlots(test))
    .map((test) => ({ name: test.name, problem: problemOf(rule, test) }));
}

/** Why a test gives too little or too much; null if it gives one thing. */
export function givenProblem(test: RuleTest): string | null {
  const given = GIVEN.filter((name) => test[name] !== undefined);
  return given.length === 1 ? null : `A test has one of ${GIVEN.join(', ')}.`;
}

function problemOf(rule: CompiledRule, test: RuleTest): string | null {
  const { features, minutes, expect, confidence } = test;
  const wrong = givenProblem(test);
  if (wrong !== null) return wrong;
  if (typeof expect !== 'string' || expect === 'none') {
    return 'A test by features expects pass, fail or unknown.';
  }
  const given = minutes ?? [features ?? {}];
  const { scope } = rule.file;
  for (const name of given.flatMap(Object.keys)) {
    if (featureIndex(scope, name) === null)
      return `There is no feature ${name} for the scope ${scope}.`;
  }
  const found = resultOf(
    rule,
    given.map((minute) => givenFeatures(scope, minute)),
  );
  if (found.result !== expect) {
    const why = found.unknown.length === 0 ? '' : ` (unknown: ${found.unknown.join(', ')})`;
    return `It should ${expect} and is ${found.result}${why}.`;
  }
  const differs =
    confidence !== undefined && Math.abs(confidence - (found.confidence ?? -1)) > 1e-9;
  return differs ? `Its confidence should be ${confidence} and is ${found.confidence}.` : null;
}

function resultOf(rule: CompiledRule, minutes: readonly FeatureValues[]) {
  const last = minutes.at(-1);
  if (last === undefined) return { result: 'fail', unknown: [], confidence: null };
  let state: SequenceState | null = null;
  let passed = false;
  for (const [minute, values] of minutes.entries()) {
    ({ passed, state } = advanceSequence(rule, state, values, minute * MINUTE_MS));
  }
  if (passed) {
    return { result: 'pass', unknown: [], confidence: passedWith(rule, last).confidence };
  }
  const { unknown } = rule.sequence.length === 0 ? judge(rule, last) : { unknown: [] };
  return { result: unknown.length > 0 ? 'unknown' : 'fail', unknown, confidence: null };
}
