import { describe, expect, test } from 'vitest';
import { nearestName } from './nearest-name.ts';

describe('the nearest name', () => {
  test.each([
    ['with a letter too few', 'lmit', 'limit'],
    ['with a letter too many', 'limitt', 'limit'],
    ['with another letter', 'lemit', 'limit'],
    ['with two letters transposed', 'form', 'from'],
    ['that is equal', 'from', 'from'],
  ])('is the one %s', (_what, name, nearest) => {
    expect(nearestName(name, ['to', 'from', 'limit'], 1)).toBe(nearest);
  });

  test('is none beyond the given distance', () => {
    // Two deletions.
    expect(nearestName('lit', ['limit'], 2)).toBe('limit');
    expect(nearestName('lit', ['limit'], 1)).toBeNull();
    expect(nearestName('limit', [], 5)).toBeNull();
  });

  test('is the first of equally near ones, and a nearer one that comes later', () => {
    expect(nearestName('a', ['ab', 'ac'], 1)).toBe('ab');
    expect(nearestName('fees', ['fed', 'fee'], 2)).toBe('fee');
  });
});
