import { describe, expect, test } from 'vitest';
import { parseDuration } from './duration.ts';

describe('the text of a duration', () => {
  test.each([
    ['90m', 5_400_000],
    ['12h', 43_200_000],
    ['30d', 2_592_000_000],
    ['999999d', 86_399_913_600_000],
  ])('%s is as many milliseconds', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  test.each(['', '30', 'd', '0d', '-1d', '1.5d', '30 d', '30D', '1w', '1000000d', '1d2h'])(
    '%j is none',
    (text) => {
      expect(parseDuration(text)).toBeNull();
    },
  );
});
