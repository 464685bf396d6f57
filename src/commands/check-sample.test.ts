import { describe, expect, test } from 'vitest';
import { UsageError } from '../model/errors.ts';
import { parseSample } from './check-sample.ts';

describe('--sample', () => {
  test.each([
    [undefined, { budgetMs: null, share: 1 }],
    [true, { budgetMs: 60_000, share: 1 }],
    ['5', { budgetMs: 5_000, share: 1 }],
    ['0.5', { budgetMs: 500, share: 1 }],
    ['10%', { budgetMs: null, share: 0.1 }],
    ['100%', { budgetMs: null, share: 1 }],
  ])('%s is accepted', (given, sample) => {
    expect(parseSample(given)).toEqual(sample);
  });

  test.each(['0', '0%', '101%', '-1', '1e3', 'all', '', '5 s'])('"%s" is refused', (given) => {
    expect(() => parseSample(given)).toThrow(UsageError);
  });
});
