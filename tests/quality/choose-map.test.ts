import { describe, expect, test } from 'vitest';
import type { CalibrationPoint } from '../../src/fraud/scoring/calibration.ts';
import { chooseMap } from './choose-map.ts';

const scoresOf = (isTrue: boolean, ...rawScores: readonly number[]) =>
  rawScores.map((rawScore) => ({ rawScore, isTrue, weight: 1 }));
const at = (points: readonly CalibrationPoint[], score: number) =>
  points.find(([known]) => known === score)?.[1] ?? Number.NaN;

const identity: readonly CalibrationPoint[] = [
  [0, 0],
  [1, 1],
];
/** Twenty true runs at 0.8, of which the identity says 0.8: an error of 0.2. */
const TRUE = scoresOf(true, ...Array.from({ length: 20 }, () => 0.8));

describe('the map of a type', () => {
  test('is fitted where that says of true findings that they are', () => {
    const { points, isNew, error } = chooseMap(TRUE, [0.1], identity);
    expect(isNew).toBe(true);
    expect(error).toBeLessThan(0.1);
    expect(at(points, 0.1)).toBeLessThan(0.5);
  });

  test('is the current one where its error is smaller', () => {
    // Says 1 from 0.8 on: no error at all.
    const current: readonly CalibrationPoint[] = [
      [0, 0],
      [0.4, 0],
      [0.8, 1],
      [1, 1],
    ];
    expect(chooseMap(TRUE, [0.1], current)).toEqual({ points: current, isNew: false, error: 0 });
  });

  test('keeps innocent runs below a finding by the weight of examples', () => {
    const scores = [...TRUE, ...scoresOf(true, 0.4, 0.4), ...scoresOf(false, 0.2)];
    expect(at(chooseMap(scores, [0.1], identity).points, 0.2)).toBeLessThan(0.5);
  });

  test('gives up on an innocent run among true ones, but on no example', () => {
    const { points } = chooseMap([...TRUE, ...scoresOf(false, 0.9)], [0.3], identity);
    expect(at(points, 0.3)).toBeLessThan(0.5);
    expect(at(points, 0.9)).toBeGreaterThan(0.5);
  });
});
