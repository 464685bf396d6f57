import { expect, test } from 'vitest';
import { parseBound, type Unit } from './parse-bound.ts';

test.each<readonly [Unit, string, string | null]>([
  ['amount', '1500', '1500'],
  ['amount', ' $2.5M ', '2500000'],
  ['amount', '10k', '10000'],
  ['amount', '0.5', '0.5'],
  ['amount', '1.2345k', '1234.5'],
  ['amount', '-5', null],
  ['amount', '1e9', null],
  ['amount', '10h', null],
  ['amount', 'constructor', null],
  ['age', '30m', '1800'],
  ['age', '1.5h', '5400'],
  ['age', '2d', '172800'],
  ['age', '15', null],
  ['age', '10k', null],
  ['count', '50', '50'],
  ['count', '1.5k', '1500'],
  ['count', '1.5', null],
  ['percent', '40', '0.4'],
  ['percent', '12.5%', '0.125'],
  ['percent', '100', '1'],
  ['percent', '101', null],
  ['percent', '0.001', null],
  ['score', '50', '50'],
  ['score', '101', null],
  ['score', '5k', null],
  ['score', '', null],
])('a limit of the unit %s written as "%s" is %s', (unit, text, expected) => {
  expect(parseBound(unit, text)).toBe(expected);
});
