import { expect, test } from 'vitest';
import type { ChartCandle } from '../../../charts/candle-chart.tsx';
import {
  INTERVAL_MS,
  INTERVALS,
  intervalForAge,
  isWideRange,
  replaceFrom,
  withOlder,
} from './candle-data.ts';

const at = (timeMs: number, close = '1'): ChartCandle => ({
  timeMs,
  open: '1',
  high: '1',
  low: '1',
  close,
  volume: '1',
});

test('a newer answer replaces what a fork took back', () => {
  const held = [at(0), at(10), at(20)];
  expect(replaceFrom(held, 10, [at(10, '2')])).toEqual([at(0), at(10, '2')]);
  expect(replaceFrom(held, 20, [at(20, '3'), at(30)])).toEqual([
    at(0),
    at(10),
    at(20, '3'),
    at(30),
  ]);
});

test('older candles are put before, each time once', () => {
  expect(withOlder([at(20), at(30)], [at(0), at(10), at(20, '9')])).toEqual([
    at(0),
    at(10),
    at(20),
    at(30),
  ]);
  expect(withOlder([], [at(0)])).toEqual([at(0)]);
});

test('the first interval shows all of a token in at most 240 candles', () => {
  expect(intervalForAge(60_000)).toBe('1s');
  expect(intervalForAge(10 * 60_000)).toBe('5s');
  expect(intervalForAge(365 * 86_400_000)).toBe('1d');
  expect(intervalForAge(null)).toBe('5m');
  for (const interval of INTERVALS) {
    expect(intervalForAge(240 * INTERVAL_MS[interval])).toBe(interval);
  }
});

test('prices that span fifty times their least are a wide range, without those of no trade', () => {
  const prices = (low: string | null, high: string | null) => ({ ...at(0), low, high });
  expect(isWideRange([])).toBe(false);
  expect(isWideRange([prices(null, null), prices('0.002', '0.003')])).toBe(false);
  expect(isWideRange([prices('0.002', '0.003'), prices('0.05', '0.0999')])).toBe(false);
  expect(isWideRange([prices('0.002', '0.003'), prices('0.05', '0.1')])).toBe(true);
});
