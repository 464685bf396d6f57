import { expect, test } from 'vitest';
import { matchPath } from './match-path.ts';

test.each([
  ['/token/:mint', '/token/abc', { mint: 'abc' }],
  ['/token/:mint', '/token/a%2Fb', { mint: 'a/b' }],
  // Not valid in an address: as it is.
  ['/token/:mint', '/token/%E0%A4%A', { mint: '%E0%A4%A' }],
  ['/token/:mint', '/token/abc/', null],
  ['/token/:mint', '/wallet/abc', null],
  ['/market', '/market', {}],
  ['/', '/', {}],
  ['/', '/market', null],
])('the pattern %s of the path %s has the parameters %j', (pattern, path, expected) => {
  expect(matchPath(pattern, path)).toEqual(expected);
});
