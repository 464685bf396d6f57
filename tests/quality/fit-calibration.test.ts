import { describe, expect, it } from 'vitest';
import { fitCalibration, type JudgedScore } from './fit-calibration.ts';

const score = (rawScore: number, isTrue: boolean, weight = 1): JudgedScore => ({
  ...{ rawScore, isTrue, weight },
});
const at = (points: ReturnType<typeof fitCalibration>, wanted: number) =>
  points.find(([rawScore]) => rawScore === wanted)?.[1] ?? Number.NaN;

describe("Platt's map", () => {
  it('leaves scores nearly unchanged when they match the share of true ones', () => {
    const scores = [0.1, 0.3, 0.5, 0.7, 0.9].flatMap((rawScore) => [
      score(rawScore, true, 10_000 * rawScore),
      score(rawScore, false, 10_000 * (1 - rawScore)),
    ]);
    const points = fitCalibration(scores);
    for (const wanted of [0.1, 0.3, 0.5, 0.7, 0.9]) {
      expect(Math.abs(at(points, wanted) - wanted)).toBeLessThan(0.002);
    }
  });

  it('gives a half in the middle between both kinds', () => {
    // As many of each, and as far from a half on the logit's scale: by symmetry a half stays one.
    const points = fitCalibration([score(0.2, false, 20), score(0.8, true, 20)]);
    expect(at(points, 0.5)).toBe(0.5);
    // Platt's target for twenty that were all true.
    expect(at(points, 0.8)).toBeCloseTo(21 / 22, 3);
    expect(at(points, 0.2)).toBeCloseTo(1 / 22, 3);
  });

  it('begins at 0, ends at 1 and never falls', () => {
    const points = fitCalibration([score(0.1, false, 3), score(0.3, true), score(0.9, true, 5)]);
    expect(points[0]).toEqual([0, 0]);
    expect(points.at(-1)?.[0]).toBe(1);
    const confidences = points.map(([, confidence]) => confidence);
    expect(confidences).toEqual(confidences.toSorted((one, other) => one - other));
  });

  it('is refused with one kind only, or when it would fall', () => {
    expect(() => fitCalibration([score(0.4, true)])).toThrow(RangeError);
    expect(() => fitCalibration([score(0.2, true, 9), score(0.8, false, 9)])).toThrow(RangeError);
  });
});
