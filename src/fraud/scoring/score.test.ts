import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ScoredFeature } from '../../model/fraud.ts';
import { LATE_BUNDLE_TABLE } from '../bundles/late-bundle.ts';
import { TRADITIONAL_BUNDLE_TABLE } from '../bundles/traditional-bundle.ts';
import { calibrate } from './calibration.ts';
import { evidenceWeights, ramp, type ScoringTable, scoreCase, scoreFeatures } from './score.ts';

const feature = (name: string, weight: number, value: number): ScoredFeature => ({
  name,
  measured: value,
  ramp: null,
  value,
  weight,
});

describe('a ramp', () => {
  it.each([
    [0.05, 0],
    [0.15, 0.5],
    [0.25, 1],
    [-1, 0],
    [9, 1],
  ])('is linear between its ends and constant outside: %d gives %d', (value, expected) => {
    expect(ramp(value, 0.05, 0.25)).toBeCloseTo(expected, 12);
  });

  it('is descending if it starts above its end', () => {
    expect([60, 930, 1800].map((seconds) => ramp(seconds, 1800, 60))).toEqual([1, 0.5, 0]);
  });

  it('is a step that is 1 at its position if both ends are equal', () => {
    expect([2.99, 3, 3.01].map((value) => ramp(value, 3, 3))).toEqual([0, 1, 1]);
  });
});

describe('a score', () => {
  it('is the logistic of the bias and the weighted features', () => {
    // −1 + 2·0.5 + 1·1 − 3·0.2 = 0.4, and 1/(1+e^−0.4) = 0.598688
    const features = [feature('a', 2, 0.5), feature('b', 1, 1), feature('c', -3, 0.2)];
    const score = scoreFeatures({ fraudType: 'fake_dump', bias: -1 }, features, true);
    expect(score.rawScore).toBeCloseTo(0.598688, 6);
  });

  it('counts missing measures as 0 and marks them', () => {
    const table: ScoringTable<'a'> = {
      fraudType: 'fake_dump',
      bias: 0,
      rules: { a: { weight: 5, ramp: [0, 1], reason: 'any' } },
    };
    const { features, rawScore } = scoreCase(table, { a: null }, true);
    expect(rawScore).toBe(0.5);
    expect(features).toEqual([{ name: 'a', measured: null, ramp: [0, 1], value: 0, weight: 5 }]);
  });

  it('is capped at 0.85 if payments are unknown', () => {
    const table = { fraudType: 'late_bundle', bias: 3 } as const;
    // σ(3), mapped by the calibration of its type.
    const confidence = calibrate('late_bundle', 1 / (1 + Math.exp(-3)));
    expect(scoreFeatures(table, [], true).confidence).toBe(
      Math.round(confidence * 10_000) / 10_000,
    );
    expect(scoreFeatures(table, [], false).confidence).toBe(0.85);
    const against = { fraudType: 'late_bundle', bias: -2 } as const;
    expect(scoreFeatures(against, [feature('a', 5, 1)], false).confidence).toBe(0.85);
  });
});

describe.each([TRADITIONAL_BUNDLE_TABLE, LATE_BUNDLE_TABLE] as const)(
  'the table of $fraudType',
  (table: ScoringTable<string>) => {
    const names = Object.keys(table.rules);

    it('is monotonic in every feature', () => {
      const values = fc.array(fc.double({ min: 0, max: 12, noNaN: true }), {
        minLength: names.length,
        maxLength: names.length,
      });
      const raised = fc.record({
        at: fc.nat(names.length - 1),
        by: fc.double({ min: 0, max: 12, noNaN: true }),
      });
      fc.assert(
        fc.property(values, raised, fc.boolean(), (measured, { at, by }, isFundingKnown) => {
          const measures = Object.fromEntries(
            names.map((name, index) => [name, measured[index] ?? 0]),
          );
          const name = names[at] ?? '';
          const before = scoreCase(table, measures, isFundingKnown).confidence;
          const more = { ...measures, [name]: (measures[name] ?? 0) + by };
          const after = scoreCase(table, more, isFundingKnown).confidence;
          const isFor = (table.rules[name]?.weight ?? 0) > 0;
          expect(isFor ? after >= before : after <= before).toBe(true);
        }),
      );
    });
  },
);

describe('evidence weights', () => {
  it('assign the rounding rest to the largest remainder', () => {
    // Thirds: 3333.3… each of 10000, and one part is left; remainders are equal, so the first has
    // it.
    const thirds = [feature('a', 1, 1), feature('b', 1, 1), feature('c', 1, 1)];
    expect([...evidenceWeights(thirds)]).toEqual([
      ['a', 0.3334],
      ['b', 0.3333],
      ['c', 0.3333],
    ]);
    // 1/7 = 1428.57…, 6/7 = 8571.43…: the first remainder is the larger one.
    expect([...evidenceWeights([feature('a', 6, 1), feature('b', 1, 1)])]).toEqual([
      ['a', 0.8571],
      ['b', 0.1429],
    ]);
  });

  it('leave out features of 0 and negative ones', () => {
    const features = [feature('a', 1, 0), feature('b', 1, 0.5), feature('c', -1, 1)];
    expect([...evidenceWeights(features)]).toEqual([['b', 1]]);
  });

  it('sum to exactly 1 in ten-thousandths, for any features', () => {
    const any = fc.array(
      fc.tuple(
        fc.double({ min: 0.1, max: 3, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
      ),
      {
        minLength: 1,
        maxLength: 12,
      },
    );
    fc.assert(
      fc.property(any, (drafts) => {
        const features = drafts.map(([weight, value], at) => feature(`${at}`, weight, value));
        fc.pre(features.some(({ value }) => value > 1e-6));
        const weights = [...evidenceWeights(features).values()];
        expect(weights.reduce((sum, weight) => sum + Math.round(weight * 10_000), 0)).toBe(10_000);
      }),
    );
  });
});
