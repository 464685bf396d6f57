import { Engine } from '../../engine/engine.ts';
import type { PublishedRule } from '../../model/rule-change.ts';
import type { RuleHit } from '../../model/rule-hit.ts';
import type { CompiledRule } from '../../rules/compile-rule.ts';
import { expectedHitsProblem } from '../../rules/expected-hits.ts';
import type { RuleTest } from '../../rules/file/rule-test.ts';
import { canonicalRule } from '../../rules/rule-id.ts';
import { givenProblem, isBySlots, type RuleTestResult } from '../../rules/run-tests.ts';
import { recordedSlots, scenarioSlots, TEST_SLOTS_MAX, type TestedSlots } from './tested-slots.ts';

const AUTHOR = 'test';
const SECONDS_MAX = 300;
const PROGRESS_STEP_MS = 2_000;

export interface TestsBySlotsOptions {
  /** File of the rule, from which relative paths begin. */
  readonly file: string;
  /** Folder of recorded data, from which they begin if it is set. */
  readonly dataFolder: string | undefined;
  readonly writeProgress: (line: string) => void;
  /** Of each test; 300 unless given. */
  readonly secondsMax?: number;
}

/** Runs the tests of a rule that name a scenario or recorded slots, in their order. */
export async function* runTestsBySlots(
  rule: CompiledRule,
  options: TestsBySlotsOptions,
): AsyncGenerator<RuleTestResult> {
  for (const test of (rule.file.tests ?? []).filter(isBySlots)) {
    yield { name: test.name, problem: await problemOf(rule, test, options) };
  }
}

async function problemOf(
  rule: CompiledRule,
  test: RuleTest,
  options: TestsBySlotsOptions,
): Promise<string | null> {
  const wrong = givenProblem(test) ?? wrongWithSlots(test);
  if (wrong !== null) return wrong;
  const tested = slotsOf(test, options);
  if (typeof tested === 'string') return tested;
  const hits = await hitsIn(rule, tested, options);
  return typeof hits === 'string'
    ? hits
    : expectedHitsProblem(test.expect, { hits, subject: tested.subject() });
}

function wrongWithSlots({ confidence }: RuleTest): string | null {
  return confidence === undefined ? null : 'Only a test by features has a confidence.';
}

function slotsOf(
  { scenario, slots }: RuleTest,
  { file, dataFolder }: TestsBySlotsOptions,
): TestedSlots | string {
  if (scenario !== undefined) return scenarioSlots(scenario);
  return slots === undefined ? '' : recordedSlots(slots, file, dataFolder);
}

/** The hits of a rule that is published with the first slot; a sentence if a bound is exceeded. */
async function hitsIn(
  rule: CompiledRule,
  { slots }: TestedSlots,
  { writeProgress, secondsMax = SECONDS_MAX }: TestsBySlotsOptions,
): Promise<readonly RuleHit[] | string> {
  const engine = new Engine({ fallbackSolUsd: null });
  const beganMs = performance.now();
  let printedMs = beganMs;
  const hits: RuleHit[] = [];
  let count = 0;
  let judged = 0;
  for await (const facts of slots) {
    if (count === TEST_SLOTS_MAX) {
      return `It has more than ${TEST_SLOTS_MAX} slots: give a smaller range with from and to.`;
    }
    const nowMs = performance.now();
    if (nowMs > beganMs + secondsMax * 1_000)
      return `It took longer than ${secondsMax} s: test fewer slots.`;
    const changes = engine.apply(
      count === 0 ? { ...facts, ruleChanges: [publicationOf(rule)] } : facts,
    );
    count++;
    judged += changes.indicators.length;
    hits.push(...changes.ruleHits);
    if (nowMs < printedMs + PROGRESS_STEP_MS) continue;
    printedMs = nowMs;
    writeProgress(`${rule.id}: ${count} slots, ${hits.length} hits so far`);
  }
  if (count === 0) return 'There is no slot in that range.';
  // A rule without hits would pass, whatever its condition is.
  const isJudged = judged > 0 || rule.file.scope !== 'pool_minute';
  return isJudged
    ? hits
    : 'No minute of a traded pool ends in these slots: the rule is not judged.';
}

function publicationOf({ file }: CompiledRule): PublishedRule {
  return { author: AUTHOR, name: file.name, content: canonicalRule(file) };
}
