import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findJsonFault } from './json-fault.ts';

describe('findJsonFault', () => {
  test.each([
    ['', 0, 1],
    ['{"a":1,\n"b":x}', 12, 2],
    ['<html>', 0, 1],
    ['[1,2,]', 5, 1],
    ['{"a":1}\n{"b":2}', 8, 2],
    ['{"a":"\n"}', 6, 1],
    ['{"a" 1}', 5, 1],
    ['{"a":[1,2', 9, 1],
    ['{"a":"bcd', 9, 1],
    ['{"a":tru', 8, 1],
    ['{"a":-', 6, 1],
    [`[${'"aaaaaaaaaaaaaaaaaaaa",'.repeat(50)}?]`, 1 + 50 * 23, 1],
  ])('finds the fault of %j at %i, line %i', (text, offset, line) => {
    expect(findJsonFault(text)).toMatchObject({ offset, line });
  });

  test('reports that a truncated text ends in the middle', () => {
    expect(findJsonFault('{"a":[1,2')?.message).toBe('the text ends in the middle');
    expect(findJsonFault('{"a":?}')?.message).toBe("Unexpected token '?'");
  });

  test('finds no fault in valid JSON', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(findJsonFault(text)).toBeNull();
      }),
    );
  });

  test('finds an invalid character at any position outside strings', () => {
    const text = JSON.stringify({ a: [1, 2, { b: null }], c: 'text', d: true });
    for (const offset of [0, 1, 5, 6, 8, 9, 11, 20, 21, text.length]) {
      const broken = `${text.slice(0, offset)}?${text.slice(offset)}`;
      expect(findJsonFault(broken)?.offset).toBe(offset);
    }
  });
});
