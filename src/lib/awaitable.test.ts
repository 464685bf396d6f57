import { describe, expect, test } from 'vitest';
import { whenKnown } from './awaitable.ts';

describe('whenKnown', () => {
  test('continues synchronously with an available value', () => {
    expect(whenKnown(2, (value) => value + 1)).toBe(3);
  });

  test('continues later with a promised value', async () => {
    const result = whenKnown(Promise.resolve(2), (value) => value + 1);
    expect(result).toBeInstanceOf(Promise);
    expect(await result).toBe(3);
  });

  test('passes a rejection on', async () => {
    const failed = Promise.reject(new Error('gone'));
    await expect(whenKnown(failed, () => 1)).rejects.toThrow('gone');
  });
});
