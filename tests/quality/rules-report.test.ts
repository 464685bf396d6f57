import { describe, expect, test } from 'vitest';
import { FRAUD_TYPES, type FraudType } from '../../src/model/fraud.ts';
import { playAttack } from '../support/attack-runs.ts';
import { evaluatedCases, type FraudPlan } from './fraud-run.ts';
import { readTypeRules } from './read-type-rules.ts';
import { rulesQuality } from './rules-quality.ts';
import { partsOf, rulesReport } from './rules-report.ts';
import { type Compared, compareCases, type RulesRun } from './rules-run.ts';

const NOTHING: Compared = { both: 0, detectorOnly: 0, ruleOnly: 0, covered: 0 };
const runOf = (plan: FraudPlan, type: FraudType, compared: Partial<Compared>): RulesRun => ({
  plan,
  evaluations: 10,
  detectorsMs: [0.3, 0.4, 90],
  rulesMs: [0.01, 0.01, 5],
  types: {
    ...(Object.fromEntries(FRAUD_TYPES.map((one) => [one, NOTHING])) as RulesRun['types']),
    [type]: { ...NOTHING, ...compared },
  },
});
const attack = { type: 'fake_dump', difficulty: 'easy', seed: 'training-1' } as const;
const other = { type: 'bundle_and_launder', difficulty: 'hard', seed: 'training-1' } as const;
const innocent = { type: 'N3', difficulty: null, seed: 'training-2' } as const;

describe('the comparison of rules and detectors', () => {
  const quality = rulesQuality([
    runOf(attack, 'fake_dump', { both: 4, ruleOnly: 1 }),
    // Found by the detector in one evaluation and by the rule in another: both found the attack.
    runOf(attack, 'fake_dump', { detectorOnly: 1, ruleOnly: 1 }),
    runOf(attack, 'fake_dump', { detectorOnly: 2 }),
    runOf(attack, 'fake_dump', {}),
    runOf(other, 'fake_dump', { ruleOnly: 3, covered: 2 }),
    runOf(innocent, 'fake_dump', { ruleOnly: 1 }),
  ]);
  const dump = quality.types.find(({ type }) => type === 'fake_dump');

  test('counts a run once, apart for attacks of the type, of others, and innocent ones', () => {
    expect(dump?.attacks).toEqual({ runs: 4, both: 2, detectorOnly: 1, ruleOnly: 0 });
    expect(dump?.others).toEqual({ runs: 1, both: 0, detectorOnly: 0, ruleOnly: 1 });
    expect(dump?.innocent).toEqual({ runs: 1, both: 0, detectorOnly: 0, ruleOnly: 1 });
  });

  test('sums evaluations over all runs, and takes the median of their time', () => {
    expect(dump?.evaluations).toEqual({ both: 4, detectorOnly: 3, ruleOnly: 6, covered: 2 });
    // A pause of the machine in one evaluation counts no more than any other.
    expect(quality.detectorsUs).toBeCloseTo(400, 9);
    expect(quality.rulesUs).toBeCloseTo(10, 9);
  });

  test('is a row of the report for each type', () => {
    const report = rulesReport(quality, 'training', null);
    expect(report).toContain(
      '`training-1` to `training-2`: 6 runs, 60 evaluations. Commit: unknown.',
    );
    for (const [, rows] of partsOf(quality.types)) {
      expect(rows.map(([type]) => type)).toEqual([...FRAUD_TYPES]);
    }
    expect(report).toContain('They differ in 9 of these evaluations.');
    expect(partsOf(quality.types)[0]?.[1][3]).toEqual(['fake_dump', '4', '2', '1', '0']);
  });
});

test('a rule is asked in every evaluation, also where the detector reports nothing of its type', () => {
  const { record, label } = playAttack('bundle_and_launder', 'easy', 'training-1');
  const rules = readTypeRules();
  const always = { ...rules, fake_dump: rules.bundle_and_launder };
  const { types, evaluations } = compareCases(evaluatedCases(record.slots, label.mint), always);
  expect(evaluations).toBeGreaterThan(5);
  expect(types.bundle_and_launder.both).toBeGreaterThan(0);
  expect(types.bundle_and_launder.detectorOnly).toBe(0);
  const { both, ruleOnly, covered } = types.fake_dump;
  expect(both + ruleOnly).toBe(types.bundle_and_launder.both + types.bundle_and_launder.ruleOnly);
  expect(covered).toBeLessThanOrEqual(ruleOnly);
});
