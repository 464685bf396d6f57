import { expect, test } from 'vitest';
import { findingEvent, levelReached } from './finding-event.ts';

test.each([
  [0, 1, 'fraud.found'],
  [0, 3, 'fraud.found'],
  [1, 2, 'fraud.raised'],
  [2, 3, 'fraud.raised'],
  [2, 2, null],
  [3, 1, null],
  [0, 0, null],
  [1, 0, 'fraud.withdrawn'],
  [3, 0, 'fraud.withdrawn'],
])('a finding at level %i that changes to level %i emits %s', (publishedLevel, level, event) => {
  expect(findingEvent(publishedLevel, level)).toBe(event);
});

test('levels begin at 0.5, 0.7 and 0.9, and an unpublished finding has none', () => {
  const confidences = [0.4999, 0.5, 0.6999, 0.7, 0.8999, 0.9, 1];
  expect(confidences.map((confidence) => levelReached(true, confidence))).toEqual([
    0, 1, 1, 2, 2, 3, 3,
  ]);
  expect(levelReached(false, 1)).toBe(0);
});
