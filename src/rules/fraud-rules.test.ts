import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { scoreCase } from '../fraud/scoring/score.ts';
import { FRAUD_TYPES } from '../model/fraud.ts';
import { type CompiledRule, compileRuleText } from './compile-rule.ts';
import { figureFeature } from './features/case/pattern-features.ts';
import { PATTERN_FIGURES } from './features/case/pattern-figures.ts';
import { givenFeatures } from './features/read-features.ts';
import { problemText } from './problem.ts';
import { runRuleTests } from './run-tests.ts';

const FOLDER = 'docs/rules/fraud';
/** From this confidence on a finding is reported. */
const REPORTED_MIN = 0.5;
/** Figures that a detector may be unable to measure. */
const UNMEASURED = new Set(['funding', 'recidivism', 'flow', 'sync', 'drain', 'uneconomic']);
UNMEASURED.add('regularity').add('marketMove');

function ruleNamed(file: string): CompiledRule {
  const { value, problems } = compileRuleText(readFileSync(join(FOLDER, file), 'utf8'));
  if (value === null) throw new Error(problems.map(problemText).join(' '));
  return value;
}

/** The rules in the text about rules. */
const EXAMPLES = [...readFileSync('docs/rules.md', 'utf8').matchAll(/^```yaml\n(.*?)^```$/gms)].map(
  ([, text = '']) => text,
);

test('the examples in the text about rules compile, some of each scope, and pass their tests', () => {
  const rules = EXAMPLES.map((text) => compileRuleText(text));
  expect(rules.flatMap(({ problems }) => problems)).toEqual([]);
  expect(rules.map(({ value }) => value?.file.scope)).toEqual(
    expect.arrayContaining(['pool_minute', 'case']),
  );
  const results = rules.flatMap(({ value }) => (value === null ? [] : runRuleTests(value)));
  expect(results.filter(({ problem }) => problem !== null)).toEqual([]);
});

const FILES = readdirSync(FOLDER).sort();

describe('the built-in types as rules', () => {
  test('are one file for each type', () => {
    const expected = FRAUD_TYPES.map((type) => `${type.replaceAll('_', '-')}.yaml`);
    expect(FILES).toEqual(expected.toSorted());
  });

  test.each(FILES)('pass the tests in %s', (file) => {
    const results = runRuleTests(ruleNamed(file));
    expect(results.length).toBeGreaterThanOrEqual(3);
    expect(results.filter(({ problem }) => problem !== null)).toEqual([]);
  });

  test.each(PATTERN_FIGURES.map((pattern) => [pattern.table.fraudType, pattern] as const))(
    'pass for measures of %s exactly when the detector reports them',
    (type, { table, figures }) => {
      const rule = ruleNamed(`${type.replaceAll('_', '-')}.yaml`);
      const measure = (name: string) => {
        const most = 1.3 * Math.max(...(table.rules[name]?.ramp ?? [0, 1]));
        const max = Math.min(most, figures[name]?.range[1] ?? most);
        const value = fc.oneof(fc.double({ min: 0, max, noNaN: true }), fc.constantFrom(0, max));
        if (name === 'copying') return fc.constant(null);
        return UNMEASURED.has(name) ? fc.option(value) : value;
      };
      const measures = fc.record(
        Object.fromEntries(Object.keys(figures).map((name) => [name, measure(name)])),
      );
      const counts = { reported: 0, other: 0 };
      fc.assert(
        fc.property(measures, (given) => {
          const { confidence } = scoreCase(table, given, true);
          // Rules round the total that is needed, and findings their confidence.
          fc.pre(Math.abs(confidence - REPORTED_MIN) > 0.001);
          const values = Object.entries(given).map(([name, value]) => [
            figureFeature(type, name),
            value,
          ]);
          const features = { ...Object.fromEntries(values), [`${type}.groups`]: 1 };
          const isReported = confidence >= REPORTED_MIN;
          expect(rule.when.evaluate(givenFeatures('case', features))).toBe(isReported);
          counts[isReported ? 'reported' : 'other']++;
        }),
        { numRuns: 2_000 },
      );
      expect(Math.min(counts.reported, counts.other)).toBeGreaterThan(20);
    },
  );
});
