import { describe, expect, test } from 'vitest';
import { whenKnown } from './awaitable.ts';

describe('whenKnown', () => {
  test('goes on at once with a value that is there', () => {
    expect(whenKnown(2, (value) => value + 1)).toBe(3);
  });

  test('goes on later with a value that is promised', async () => {
    const result = whenKnown(Promise.resolve(2), (value) => value + 1);
    expect(result).toBeInstanceOf(Promise);
    expect(await result).toBe(3);
  });

  test('hands on what went wrong', async () => {
    const failed = Promise.reject(new Error('gone'));
    await expect(whenKnown(failed, () => 1)).rejects.toThrow('gone');
  });
});
