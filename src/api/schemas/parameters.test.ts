import fc from 'fast-check';
import { type TSchema, Type } from 'typebox';
import { describe, expect, test } from 'vitest';
import { encodeBase58 } from '../../lib/base58.ts';
import { ApiError, type ApiStatus } from '../../model/errors.ts';
import { compileRequestPart } from '../requests/compile-request-part.ts';
import {
  AddressParameter,
  ChoiceParameter,
  IntegerParameter,
  ListParameter,
  TextParameter,
} from './parameters.ts';

const DESCRIBED = { description: 'Mint.', invalidStatus: 422 } as const;

/** Reads one parameter with the given schema; throws the error of an invalid one. */
function reader(schema: TSchema): (text: string) => unknown {
  const check = compileRequestPart(Type.Object({ token_address: schema }), 'query');
  return (text) => {
    const outcome = check({ token_address: text });
    if ('error' in outcome) throw outcome.error;
    return (outcome.value as { readonly token_address: unknown }).token_address;
  };
}

const readAddress = reader(AddressParameter({ ...DESCRIBED, example: '' }));

function statusOf(read: () => unknown): ApiStatus | null {
  try {
    read();
    return null;
  } catch (error) {
    if (error instanceof ApiError) return error.status;
    throw error;
  }
}

describe('A-07 AddressParameter', () => {
  test('accepts the base58 text of any 32 bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
        const text = encodeBase58(bytes);
        expect(readAddress(text)).toBe(text);
      }),
    );
  });

  test('refuses the base58 text of any other number of bytes', () => {
    const bytes = fc
      .uint8Array({ minLength: 1, maxLength: 64 })
      .filter(({ length }) => length !== 32);
    fc.assert(
      fc.property(bytes, (wrong) => {
        expect(statusOf(() => readAddress(encodeBase58(wrong)))).toBe(422);
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
    expect(statusOf(() => readAddress(text))).toBe(422);
  });

  test('answers 400 for an empty text even where an invalid one is 422', () => {
    expect(statusOf(() => readAddress(''))).toBe(400);
  });

  test('never repeats the text it refuses', () => {
    expect(() => readAddress('<script>')).toThrow(
      new ApiError(422, 'token_address must be the base58 text of a 32-byte address.'),
    );
  });
});

describe('A-06 IntegerParameter', () => {
  const read = reader(IntegerParameter({ ...DESCRIBED, minimum: 1, maximum: 100 }));

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
    const range = { minimum: 0, maximum: Number.MAX_SAFE_INTEGER };
    const readSafe = reader(IntegerParameter({ ...DESCRIBED, ...range }));
    fc.assert(
      fc.property(fc.maxSafeNat(), (value) => {
        expect(readSafe(String(value))).toBe(value);
      }),
    );
  });
});

describe('ChoiceParameter', () => {
  test('accepts a value case-sensitively', () => {
    const read = reader(ChoiceParameter(['asc', 'desc'], DESCRIBED));
    expect(read('asc')).toBe('asc');
    expect(() => read('ASC')).toThrow(new ApiError(422, 'token_address must be one of asc, desc.'));
  });
});

describe('ListParameter', () => {
  const read = reader(ListParameter(['a', 'bc', 'd'], DESCRIBED));

  test('accepts comma-separated values without duplicates', () => {
    expect(read('d')).toEqual(['d']);
    expect(read('bc,a,bc')).toEqual(['bc', 'a']);
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
    expect(() => read(text)).toThrow(
      new ApiError(422, 'token_address must be a comma-separated list of a, bc, d.'),
    );
  });
});

describe('TextParameter', () => {
  const read = reader(TextParameter({ ...DESCRIBED, maxLength: 4 }));

  test('accepts any characters, counted as code points', () => {
    const readLong = reader(TextParameter({ ...DESCRIBED, maxLength: 20 }));
    for (const text of ['a', "%_' OR 1=1 --", '<b>', 'é', '🐈🐈🐈🐈', ' ']) {
      expect(readLong(text)).toBe(text);
    }
    expect(read('🐈🐈🐈🐈')).toBe('🐈🐈🐈🐈');
  });

  test.each(['', 'abcde', '🐈🐈🐈🐈🐈', 'a\0', 'a\n', '\u007f', '\ud800'])('refuses %j', (text) => {
    expect(() => read(text)).toThrow(
      new ApiError(422, 'token_address must be a text of 1 to 4 characters.'),
    );
  });
});
