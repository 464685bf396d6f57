import { describe, expect, it } from 'vitest';
import { percentile, trendOf } from './live-statistics.ts';

describe('a percentile', () => {
  it('is a measured value, by nearest rank', () => {
    const values = Array.from({ length: 200 }, (_, index) => 200 - index);
    expect(percentile(values, 0.5)).toBe(100);
    expect(percentile(values, 0.99)).toBe(198);
    expect(percentile(values, 1)).toBe(200);
    expect(percentile([7], 0.01)).toBe(7);
  });

  it('of no values is NaN', () => {
    expect(percentile([], 0.99)).toBeNaN();
  });
});

describe('a trend', () => {
  it('through points on a line is the line, without error', () => {
    const points = [0, 1, 2, 3].map((x) => ({ x, y: 5 - 2 * x }));
    expect(trendOf(points)).toEqual({ slope: -2, standardError: 0 });
  });

  it('equals the manual calculation for scattered points', () => {
    // Means 1.5 and 1; Sxx = 5, Sxy = 3, slope 0.6. Residuals -0.1, 0.3, -0.3, 0.1: sum of squares
    // 0.2, over two degrees of freedom 0.1, over Sxx 0.02.
    const points = [
      { x: 0, y: 0 },
      { x: 1, y: 1 },
      { x: 2, y: 1 },
      { x: 3, y: 2 },
    ];
    const { slope, standardError } = trendOf(points);
    expect(slope).toBeCloseTo(0.6, 12);
    expect(standardError).toBeCloseTo(Math.sqrt(0.02), 12);
  });

  it('is undefined for two points, or for one moment', () => {
    expect(
      trendOf([
        { x: 0, y: 0 },
        { x: 1, y: 1 },
      ]).slope,
    ).toBeNaN();
    expect(trendOf([1, 2, 3].map((y) => ({ x: 4, y }))).slope).toBeNaN();
  });
});
