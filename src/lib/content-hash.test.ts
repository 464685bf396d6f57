import { expect, test } from 'vitest';
import { contentHash } from './content-hash.ts';

test('the hash of one line "abc" is that of the bytes "abc\\n"', () => {
  // printf 'abc\n' | sha256sum
  const expected = 'edeaaff3f1774ad2888673770c6d64097e391bc362d7d6fb34982ddf0efd18cb';
  expect(contentHash(['abc'])).toBe(expected);
});

test('lines that are split differently have another hash', () => {
  expect(contentHash(['ab', 'c'])).not.toBe(contentHash(['a', 'bc']));
});
