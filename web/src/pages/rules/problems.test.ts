import { expect, test } from 'vitest';
import { offsetOf, problemsOf } from './problems.ts';

test('problems of a refusal are listed one by one, each with its position', () => {
  const message =
    'when: There is no feature pool.liquidity. Did you mean pool.liquidity_usd? (line 9, column 7) ' +
    'confidence: It must be from 0 to 1. (line 12, column 1) A rule needs a title.';
  expect(problemsOf(message)).toEqual([
    {
      text: 'when: There is no feature pool.liquidity. Did you mean pool.liquidity_usd?',
      position: { line: 9, column: 7 },
    },
    { text: 'confidence: It must be from 0 to 1.', position: { line: 12, column: 1 } },
    { text: 'A rule needs a title.', position: null },
  ]);
});

test('a sentence without a position is one problem, and nothing is none', () => {
  expect(problemsOf('The service does not answer.')).toEqual([
    { text: 'The service does not answer.', position: null },
  ]);
  expect(problemsOf('')).toEqual([]);
});

test('a position is the number of characters before it, at most all of them', () => {
  const text = 'name: a\nwhen: b\n';
  expect(text.slice(offsetOf(text, { line: 2, column: 7 }))).toBe('b\n');
  expect(offsetOf(text, { line: 1, column: 1 })).toBe(0);
  expect(offsetOf(text, { line: 99, column: 99 })).toBe(text.length);
});
