import { describe, expect, test } from 'vitest';
import { heightsOf, spacingOf, toLine } from './line-spacing.ts';

const HOUR_MS = 3_600_000;
const NOW_MS = Date.UTC(2026, 0, 2);

describe('the line of a row', () => {
  test('covers the window with the shortest interval that needs at most 72 candles', () => {
    const of = (window: '5m' | '1h' | '6h' | '24h') => {
      const { interval, stepMs, steps } = spacingOf(window, null, NOW_MS);
      expect(steps).toBeLessThanOrEqual(72);
      return [interval, (stepMs * steps) / 60_000];
    };
    expect(of('5m')).toEqual(['15s', 5]);
    expect(of('1h')).toEqual(['1m', 60]);
    expect(of('6h')).toEqual(['5m', 360]);
    expect(of('24h')).toEqual(['30m', 1_440]);
  });

  test('covers the life of a token that is younger than the window', () => {
    const spacing = spacingOf('24h', NOW_MS - HOUR_MS / 6, NOW_MS);
    expect(spacing).toMatchObject({ interval: '15s', steps: 40 });
    expect(spacingOf('1h', NOW_MS - 50 * HOUR_MS, NOW_MS)).toMatchObject({ interval: '1m' });
    // A launch of this slot, or of a clock that is ahead.
    expect(spacingOf('24h', NOW_MS + 5, NOW_MS)).toMatchObject({ interval: '15s', steps: 2 });
  });

  test('has the newest known prices', () => {
    expect(toLine(['1', '2', null, '4', '5'], 4)).toEqual([2, 4, 5]);
  });

  test('is none with fewer than two prices', () => {
    for (const closes of [[], ['1'], [null, '1'], ['0', '1']]) expect(toLine(closes, 4)).toBeNull();
  });

  test('has logarithms as heights only where prices span more than fifty times their least', () => {
    expect(heightsOf([1, 50])).toEqual([1, 50]);
    const [low = 0, middle = 0, high = 0] = heightsOf([1, 10, 100]);
    expect(high - middle).toBeCloseTo(middle - low);
  });
});
