import { describe, expect, test } from 'vitest';
import { findDeepNesting, parseShallow } from './json-nesting.ts';

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

describe('nesting of a text', () => {
  test.each([
    [nested(512), null],
    [nested(513), 512],
    // Two hundred thousand arrays in sequence.
    [`[${'[],'.repeat(200_000)}[]]`, null],
    // Brackets in strings do not count, even after an escaped quote.
    [`["${'['.repeat(600)}"]`, null],
    [`["\\"${'['.repeat(600)}"]`, null],
    [`["\\\\",${nested(600)}]`, 517],
    [`"${'['.repeat(600)}`, null],
  ])('is found at the first bracket that is too deep: %#', (text, position) => {
    expect(findDeepNesting(text, 0)).toBe(position);
  });

  test('of repeatedly nested objects is found', () => {
    // Each level opens with `{"a":`, five characters: the 513th begins at 512 * 5.
    expect(findDeepNesting('{"a":'.repeat(600), 0)).toBe(2_560);
  });

  test('is left to the parser in short texts, and rejected before parsing in long ones', () => {
    expect(() => parseShallow(nested(600))).not.toThrow();
    expect(() => parseShallow(`${nested(600)}${' '.repeat(2 ** 24)}`)).toThrow(SyntaxError);
    expect(parseShallow(`[1]${' '.repeat(2 ** 24)}`)).toEqual([1]);
  });
});
