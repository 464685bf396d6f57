import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseLossless } from './lossless-json.ts';

describe('parseLossless', () => {
  test.each([
    ['9007199254740993', '9007199254740993'],
    ['18446744073709551615', '18446744073709551615'],
    ['-9007199254740993', '-9007199254740993'],
    ['1000000000000000', '1000000000000000'],
    ['999999999999999', 999_999_999_999_999],
    ['1.5', 1.5],
    ['1234567890123456.5', 1234567890123456.5],
    ['1e300', 1e300],
    ['[true,false,null]', [true, false, null]],
    ['"9007199254740993"', '9007199254740993'],
    [' 12345678901234567 ', '12345678901234567'],
  ])('reads %s as %j', (text, expected) => {
    expect(parseLossless(text)).toEqual(expected);
  });

  test('does not change digits inside strings and keys', () => {
    const text =
      '{"a\\"12345678901234567":"x\\\\","b":["\\\\\\" 12345678901234567",12345678901234567]}';
    expect(parseLossless(text)).toEqual({
      'a"12345678901234567': 'x\\',
      b: ['\\" 12345678901234567', '12345678901234567'],
    });
  });

  test('preserves every u64 exactly, in any position', () => {
    fc.assert(
      fc.property(fc.array(fc.bigInt(0n, 2n ** 64n - 1n)), (values) => {
        const text = `{"lamports":[${values.join(' , ')}]}`;
        const parsed = parseLossless(text) as { lamports: (number | string)[] };
        expect(parsed.lamports.map(BigInt)).toEqual(values);
      }),
    );
  });

  test('agrees with JSON.parse on any document without long integers', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        fc.pre(!/\d{16}/.test(text.replace(/"(?:[^"\\]|\\.)*"/g, '')));
        expect(parseLossless(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  test.each(['', '{"a":', '"open', '12345678901234567 8', '[012345678901234567]', '{"a\\'])(
    'rejects %j like JSON.parse',
    (text) => {
      expect(() => parseLossless(text)).toThrow(SyntaxError);
    },
  );
});
