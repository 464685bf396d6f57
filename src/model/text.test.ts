import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cleanText } from './text.ts';

describe('cleanText', () => {
  test.each([
    ['NUL padding', 'MOO DOG\0\0\0\0', 'MOO DOG'],
    ['NUL inside', 'MOO\0DOG', 'MOODOG'],
    ['surrounding space and line ends', ' \t\nMOO DOG\r\n ', 'MOO DOG'],
    ['escape and delete', '\u001b[31mred\u007f\u0085', '[31mred'],
    ['line and paragraph separators', 'a\u2028b\u2029c', 'abc'],
    ['a direction override that hides an ending', 'gpj\u202Eexe\u202C', 'gpjexe'],
    ['direction isolates', '\u2066abc\u2069', 'abc'],
    ['text without visible characters', '\0 \0', ''],
  ])('removes %s', (_, raw, clean) => {
    expect(cleanText(raw, 100)).toBe(clean);
  });

  test.each([
    ['right-to-left words', 'שלום عالم'],
    ['an emoji of joined parts', '👩‍🚀 to the 🌕'],
    ['a script that needs joiners', 'می‌خواهم'],
    ['marks that no letter composes with', 'x\u0336\u0337'],
  ])('keeps %s', (_, text) => {
    expect(cleanText(text, 100)).toBe(text);
  });

  test('composes characters (NFC)', () => {
    expect(cleanText('Cafe\u0301', 100)).toBe('Caf\u00e9');
  });

  test('replaces half of a surrogate pair', () => {
    expect(cleanText('a\ud83db', 100)).toBe('a\ufffdb');
  });

  test('counts code points and never cuts an emoji in two', () => {
    expect(cleanText('🌕'.repeat(5), 3)).toBe('🌕🌕🌕');
    expect(cleanText('🌕🌕🌕', 3)).toBe('🌕🌕🌕');
  });

  test('limits a letter with many combining marks', () => {
    expect(cleanText(`Z${'\u0336'.repeat(5_000)}`, 64)).toBe(`Z${'\u0336'.repeat(63)}`);
  });

  test('leaves no trailing space where it cuts', () => {
    expect(cleanText('ab cd', 3)).toBe('ab');
  });

  test('is idempotent and never exceeds its bound', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat(20), (raw, maxLength) => {
        const clean = cleanText(raw, maxLength);
        expect(cleanText(clean, maxLength)).toBe(clean);
        expect(Array.from(clean).length).toBeLessThanOrEqual(maxLength);
        expect(clean.isWellFormed()).toBe(true);
        expect(/\p{Cc}/u.test(clean)).toBe(false);
      }),
    );
  });
});
