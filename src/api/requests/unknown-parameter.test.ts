import { describe, expect, test } from 'vitest';
import { ApiError } from '../../model/errors.ts';
import { unknownParameterCheck } from './unknown-parameter.ts';

const check = unknownParameterCheck(['token_address', 'from_date', 'to_date', 'limit']);
const UNKNOWN = 'is not a parameter of this endpoint';

describe('an unknown parameter', () => {
  test.each([
    ['token_adress', `token_adress ${UNKNOWN}; did you mean token_address?`],
    ['tokenAddress', `tokenAddress ${UNKNOWN}; did you mean token_address?`],
    ['form_date', `form_date ${UNKNOWN}; did you mean from_date?`],
    ['lmit', `lmit ${UNKNOWN}; did you mean limit?`],
    ['min_volume_usd', `min_volume_usd ${UNKNOWN}.`],
    ['_', `_ ${UNKNOWN}.`],
    ['', 'A parameter has no name.'],
    ['__proto__', `__proto__ ${UNKNOWN}.`],
    ['constructor', `constructor ${UNKNOWN}.`],
  ])('is refused and the nearest one named: %s', (name, message) => {
    const query = JSON.parse(`{"limit":"1",${JSON.stringify(name)}:"2"}`);
    expect(check(query)).toEqual(new ApiError(400, message));
  });

  test('of several is the first', () => {
    expect(check({ limit: '1', one: '', two: '' })?.message).toMatch(/^one /);
  });

  test('with a long name is not repeated whole', () => {
    const { message = '' } = check({ [`limit${'t'.repeat(10_000)}`]: '' }) ?? {};
    expect(message).toBe(`limit${'t'.repeat(59)}… ${UNKNOWN}.`);
  });

  test.each(['x-request-id', 'X-Trace', 'x-'])('with the prefix x- is ignored: %s', (name) => {
    expect(check({ [name]: 'y', limit: '1' })).toBeNull();
  });
});

test('known parameters are accepted, whatever their values', () => {
  expect(check({ limit: ['1', '2'], token_address: '' })).toBeNull();
  expect(check({})).toBeNull();
});
