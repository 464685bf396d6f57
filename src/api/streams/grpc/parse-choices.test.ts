import { describe, expect, test } from 'vitest';
import { ApiError } from '../../../model/errors.ts';
import { parseChoices } from './parse-choices.ts';

const parse = (given: readonly string[]) => [...parseChoices('sides', given, ['buy', 'sell'])];

describe('the values of a repeated field', () => {
  test('are each one of the choices, and count once', () => {
    expect(parse([])).toEqual([]);
    expect(parse(['sell', 'buy', 'sell'])).toEqual(['sell', 'buy']);
  });

  test.each([[''], ['hold'], ['buy,sell'], ['BUY']])(
    'are refused with the name of the field: %j',
    (one) => {
      expect(() => parse(['buy', one])).toThrow(
        new ApiError(422, 'sides must be some of buy, sell.'),
      );
    },
  );
});
