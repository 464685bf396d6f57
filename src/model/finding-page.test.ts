import { describe, expect, test } from 'vitest';
import { compareFindings, type FindingPosition, levelOf } from './finding-page.ts';

describe('positions of findings', () => {
  const positions: FindingPosition[] = [
    { key: null, id: 'a' },
    { key: 2n, id: 'c' },
    { key: null, id: 'b' },
    { key: 10n, id: 'a' },
    { key: 2n, id: 'b' },
  ];
  const inOrder = (orderDir: 'asc' | 'desc') =>
    positions.toSorted(compareFindings(orderDir)).map(({ key, id }) => `${key}${id}`);

  test('are ordered by key, unknown keys last in both directions, ties by id', () => {
    expect(inOrder('asc')).toEqual(['2b', '2c', '10a', 'nulla', 'nullb']);
    expect(inOrder('desc')).toEqual(['10a', '2b', '2c', 'nulla', 'nullb']);
  });
});

test.each([
  [1, 'critical'],
  [0.9, 'critical'],
  [0.8999, 'high'],
  [0.7, 'high'],
  [0.6999, 'medium'],
  [0.5, 'medium'],
  [0.4999, 'low'],
  [0, 'low'],
])('a confidence of %d is %s', (confidence, level) => {
  expect(levelOf(confidence)).toBe(level);
});
