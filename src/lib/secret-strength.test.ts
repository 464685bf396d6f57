import { expect, test } from 'vitest';
import { isStrongSecret } from './secret-strength.ts';

test.each([
  ['too short', 'x7Kq2pLm9ZtR4bw'],
  ['one letter', 'aaaaaaaaaaaaaaaaaaaaaaaa'],
  ['few different letters', 'abcabdabeabcabdabeab'],
  ['a repeated pattern', 'password1password1'],
  ['a space', 'x7Kq2pLm 9ZtR4bwQ'],
  ['non-printable characters', 'x7Kq2pLm\u00009ZtR4bwQ'],
  ['too long', 'x7Kq2pLm9ZtR4bwQ'.padEnd(201, 'abcdefghijk')],
])('a secret with %s is weak', (_, text) => {
  expect(isStrongSecret(text)).toBe(false);
});

test.each(['x7Kq2pLm9ZtR4bwQ', 'correct-horse-battery-staple'])('%s is accepted', (text) => {
  expect(isStrongSecret(text)).toBe(true);
});
