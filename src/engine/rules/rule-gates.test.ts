import fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildRule } from '../../../tests/support/build-rule.ts';
import type { Gate } from '../../rules/expression/term.ts';
import { type FeatureValues, givenFeatures } from '../../rules/features/read-features.ts';
import { RuleGates } from './rule-gates.ts';

/** One comparison at a time, as the condition makes it. */
function isPassed({ feature, op, limit }: Gate, values: FeatureValues): boolean {
  const value = values.at(feature);
  if (typeof value !== 'number') return false;
  const passes = {
    '==': value === limit,
    '<': value < limit,
    '<=': value <= limit,
    '>': value > limit,
    '>=': value >= limit,
  };
  return passes[op];
}

const comparison = fc
  .tuple(
    fc.constantFrom('pool.buys', 'pool.sells', 'window.return_5m', 'smart.holders'),
    fc.constantFrom('<', '<=', '>', '>=', '==', '!='),
    fc.integer({ min: 0, max: 3 }),
  )
  .map((parts) => parts.join(' '));
const part = fc.oneof(
  { weight: 4, arbitrary: comparison },
  fc.tuple(comparison, comparison).map(([one, other]) => `(${one} || ${other})`),
  comparison.map((one) => `!(${one})`),
  fc.constant('pool.venue == "pump"'),
);
const when = fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(' && '));
const figure = fc.option(fc.integer({ min: 0, max: 3 }));
const pool = fc.record({
  'pool.buys': figure,
  'pool.sells': figure,
  'window.return_5m': figure,
  'smart.holders': figure,
  'pool.venue': fc.constantFrom('pump', 'orca', null),
});

test('never rule out a rule whose condition is true, and rule out most that are not', () => {
  const counts = { passed: 0, ruledOut: 0, evaluated: 0 };
  fc.assert(
    fc.property(
      fc.array(when, { minLength: 1, maxLength: 70 }),
      fc.array(pool, { minLength: 1, maxLength: 5 }),
      (texts, pools) => {
        const compiled = texts.flatMap((text) => {
          try {
            return [buildRule({ when: text })];
          } catch {
            // A contradiction, which is no rule.
            return [];
          }
        });
        const gates = new RuleGates(
          compiled.map((rule, index) => ({ number: index + 1, author: 'a', rule })),
        );
        for (const given of pools) {
          const values = givenFeatures('pool_minute', given);
          const candidates = gates.candidates(values);
          expect(candidates).toEqual(candidates.toSorted((one, other) => one - other));
          for (const [at, rule] of compiled.entries()) {
            const isTrue = rule.when.evaluate(values) === true;
            const mayPass = candidates.includes(at);
            expect(mayPass).toBe(rule.when.gates.every((gate) => isPassed(gate, values)));
            if (isTrue) {
              counts.passed++;
              expect(mayPass).toBe(true);
            } else counts[mayPass ? 'evaluated' : 'ruledOut']++;
          }
        }
      },
    ),
    { numRuns: 500 },
  );
  expect(counts.passed).toBeGreaterThan(100);
  expect(counts.ruledOut).toBeGreaterThan(counts.evaluated);
});

test('leave all rules without a comparison, and none of no rules', () => {
  const rule = buildRule({ when: 'pool.venue == "pump"' });
  const rules = Array.from({ length: 65 }, (_, at) => ({ number: at + 1, author: 'a', rule }));
  const values = givenFeatures('pool_minute', {});
  expect(new RuleGates(rules).candidates(values)).toEqual([...rules.keys()]);
  expect(new RuleGates([]).candidates(values)).toEqual([]);
});

test('rule out no rule with a sequence, which may await another condition', () => {
  const rule = buildRule({
    when: 'pool.buys > 3',
    sequence: [{ when: 'pool.buys < 3', within_minutes: 5 }],
  });
  const gates = new RuleGates([{ number: 1, author: 'a', rule }]);
  expect(gates.candidates(givenFeatures('pool_minute', { 'pool.buys': 1 }))).toEqual([0]);
});
