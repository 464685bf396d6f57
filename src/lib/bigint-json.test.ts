import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseBigintJson, toBigintJson } from './bigint-json.ts';

describe('JSON with bigints', () => {
  test('writes a bigint as its digits in a marked object', () => {
    expect(toBigintJson({ raw: 2n ** 64n, n: 1, text: '1' })).toBe(
      '{"raw":{"bigint":"18446744073709551616"},"n":1,"text":"1"}',
    );
  });

  test('restores any nested value', () => {
    const leaf = fc.oneof(fc.bigInt(), fc.integer(), fc.string(), fc.boolean(), fc.constant(null));
    const key = fc.constantFrom('a', 'b', 'bigints');
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { depthSize: 'small' },
        leaf,
        fc.array(tie('tree'), { maxLength: 3 }),
        fc.dictionary(key, tie('tree'), { maxKeys: 3, noNullPrototype: true }),
      ),
    }));
    fc.assert(
      fc.property(tree, (value) => {
        expect(parseBigintJson(toBigintJson(value))).toEqual(value);
      }),
    );
  });

  test('rejects text that is not JSON, and invalid digits', () => {
    expect(() => parseBigintJson('{')).toThrow(SyntaxError);
    expect(() => parseBigintJson('{"bigint":"1.5"}')).toThrow(SyntaxError);
  });
});
