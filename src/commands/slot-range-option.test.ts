import { describe, expect, test } from 'vitest';
import { UsageError } from '../model/errors.ts';
import { requestedRange } from './slot-range-option.ts';

describe('--from and --to', () => {
  test('are inclusive slot numbers', () => {
    expect(requestedRange('0', '361000000')).toEqual({ from: 0, to: 361_000_000 });
    expect(requestedRange('7', '7')).toEqual({ from: 7, to: 7 });
  });

  test.each([
    [undefined, '5', '--from is required'],
    ['5', undefined, '--to is required'],
    ['-1', '5', '--from takes a slot number, not "-1".'],
    ['1', '1e9', '--to takes a slot number, not "1e9".'],
    ['1', '9999999999999999', '--to takes a slot number'],
    ['6', '5', '--from 6 is after --to 5: swap them.'],
  ])('%j to %j is refused', (from, to, message) => {
    expect(() => requestedRange(from, to)).toThrow(UsageError);
    expect(() => requestedRange(from, to)).toThrow(message);
  });
});
