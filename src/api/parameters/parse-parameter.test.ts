import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeBase58 } from '../../lib/base58.ts';
import { ApiError, type ApiStatus } from '../../model/errors.ts';
import {
  parseAddress,
  parseChoice,
  parseInteger,
  parseList,
  parseText,
} from './parse-parameter.ts';

const parameter = { name: 'token_address', status: 422 } as const;

function statusOf(parse: () => unknown): ApiStatus | null {
  try {
    parse();
    return null;
  } catch (error) {
    if (error instanceof ApiError) return error.status;
    throw error;
  }
}

describe('A-07 parseAddress', () => {
  test('accepts the base58 text of any 32 bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
        const text = encodeBase58(bytes);
        expect(parseAddress(text, parameter)).toBe(text);
      }),
    );
  });

  test('refuses the base58 text of any other number of bytes', () => {
    const bytes = fc
      .uint8Array({ minLength: 1, maxLength: 64 })
      .filter(({ length }) => length !== 32);
    fc.assert(
      fc.property(bytes, (wrong) => {
        expect(statusOf(() => parseAddress(encodeBase58(wrong), parameter))).toBe(422);
      }),
    );
  });

  test.each([
    ['31 bytes of zeros', '1'.repeat(31)],
    ['33 bytes of zeros', '1'.repeat(33)],
    ['44 ones', '1'.repeat(44)],
    ['characters outside the alphabet', '0OIl'.repeat(8)],
    ['a megabyte', 'A'.repeat(1_000_000)],
    ['a NUL', 'So11111111111111111111111111111111111111112\0'],
    ['a space', ' So11111111111111111111111111111111111111112'],
    ['a Cyrillic letter that looks Latin', 'Sо11111111111111111111111111111111111111112'],
    ['full-width digits', 'So１1111111111111111111111111111111111111112'],
    ['hexadecimal', `0x${'ab'.repeat(32)}`],
  ])('refuses %s', (_what, text) => {
    expect(statusOf(() => parseAddress(text, parameter))).toBe(422);
  });

  test('answers 400 for an empty text even where an invalid one is 422', () => {
    expect(statusOf(() => parseAddress('', parameter))).toBe(400);
  });

  test('never repeats the text it refuses', () => {
    expect(() => parseAddress('<script>', parameter)).toThrow(
      new ApiError(422, 'token_address must be the base58 text of a 32-byte address.'),
    );
  });
});

describe('A-06 parseInteger', () => {
  const read = (text: string) => parseInteger(text, { least: 1, most: 100 }, parameter);

  test.each([
    ['1', 1],
    ['100', 100],
    ['007', 7],
  ])('reads %s', (text, value) => {
    expect(read(text)).toBe(value);
  });

  test.each([
    '',
    '0',
    '101',
    '-1',
    '+1',
    '1.5',
    '1.0',
    '1e1',
    '1e9',
    'NaN',
    'Infinity',
    '0x1',
    ' 1',
  ])('refuses %j', (text) => {
    expect(statusOf(() => read(text))).toBe(422);
  });

  test.each(['١', '１', '1\0', '1_0', '1'.repeat(17), `0${'1'.repeat(400)}`])(
    'refuses %j',
    (text) => {
      expect(statusOf(() => read(text))).toBe(422);
    },
  );

  test('accepts every whole number of its range in canonical form only', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (value) => {
        const range = { least: 0, most: Number.MAX_SAFE_INTEGER };
        expect(parseInteger(String(value), range, parameter)).toBe(value);
      }),
    );
  });
});

describe('parseChoice', () => {
  test('accepts a value case-sensitively', () => {
    expect(parseChoice('asc', ['asc', 'desc'], parameter)).toBe('asc');
    expect(() => parseChoice('ASC', ['asc', 'desc'], parameter)).toThrow(
      new ApiError(422, 'token_address must be one of asc, desc.'),
    );
  });
});

describe('parseList', () => {
  const choices = ['a', 'bc', 'd'];

  test('accepts comma-separated values without duplicates', () => {
    expect(parseList('d', choices, parameter)).toEqual(['d']);
    expect(parseList('bc,a,bc', choices, parameter)).toEqual(['bc', 'a']);
  });

  test.each([
    '',
    ',',
    'a,',
    'a, bc',
    'A',
    'a;bc',
    'a,b',
    'a,a,a,a',
    'toString',
    'a,'.repeat(9_999),
  ])('refuses %j', (text) => {
    expect(() => parseList(text, choices, parameter)).toThrow(
      new ApiError(422, 'token_address must be a comma-separated list of a, bc, d.'),
    );
  });
});

describe('parseText', () => {
  test('accepts any characters, counted as code points', () => {
    for (const text of ['a', "%_' OR 1=1 --", '<b>', 'é', '🐈🐈🐈🐈', ' ']) {
      expect(parseText(text, 20, parameter)).toBe(text);
    }
    expect(parseText('🐈🐈🐈🐈', 4, parameter)).toBe('🐈🐈🐈🐈');
  });

  test.each(['', 'abcde', '🐈🐈🐈🐈🐈', 'a\0', 'a\n', '\u007f', '\ud800'])('refuses %j', (text) => {
    expect(() => parseText(text, 4, parameter)).toThrow(
      new ApiError(422, 'token_address must be a text of 1 to 4 characters.'),
    );
  });
});
