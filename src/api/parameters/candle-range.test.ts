import { describe, expect, test } from 'vitest';
import { ApiError } from '../../model/errors.ts';
import { resolveCandleRange } from './candle-range.ts';

const MINUTE = 60_000;
const NOON = Date.UTC(2025, 0, 15, 12);
const resolve = (startMs: number | undefined, endMs: number | undefined) =>
  resolveCandleRange({ startMs, endMs, intervalMs: 5 * MINUTE, nowMs: NOON + 2 * MINUTE });

describe('A-06 candle range', () => {
  test('ends with the bucket of now and starts 499 buckets before it by default', () => {
    expect(resolve(undefined, undefined)).toEqual({
      fromMs: NOON - 499 * 5 * MINUTE,
      toMs: NOON + 5 * MINUTE,
    });
  });

  test('starts with the bucket that contains the start and ends before the end', () => {
    expect(resolve(NOON + MINUTE, NOON + 10 * MINUTE)).toEqual({
      fromMs: NOON,
      toMs: NOON + 10 * MINUTE,
    });
  });

  test('keeps the last candle whole when the end lies inside it', () => {
    expect(resolve(NOON, NOON + 11 * MINUTE).toMs).toBe(NOON + 15 * MINUTE);
  });

  test('has one bucket when both ends are in it', () => {
    expect(resolve(NOON + 1, NOON + 2)).toEqual({ fromMs: NOON, toMs: NOON + 5 * MINUTE });
  });

  test.each([
    ['reversed', NOON, NOON - 1],
    ['empty', NOON, NOON],
    ['in the future without an end', NOON + 60 * MINUTE, undefined],
  ])('refuses a range that is %s', (_what, startMs, endMs) => {
    expect(() => resolve(startMs, endMs)).toThrow(new ApiError(422, 'start must be before end.'));
  });

  test('has at most 10,000 buckets', () => {
    const startMs = NOON - 10_000 * 5 * MINUTE;
    expect(resolve(startMs, NOON).fromMs).toBe(startMs);
    expect(() => resolve(startMs, NOON + 1)).toThrow(
      new ApiError(422, 'The range holds more than 10000 candles of this interval.'),
    );
  });
});
