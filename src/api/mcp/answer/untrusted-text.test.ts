import { describe, expect, test } from 'vitest';
import { untrusted } from './untrusted-text.ts';

const nameOf = (name: string) => untrusted({ name }).untrusted_text.name ?? '';

describe('a text of a stranger', () => {
  test('keeps letters of all scripts and pictures, and null for what is unknown', () => {
    expect(untrusted({ name: 'Кот 狗 🚀', symbol: null }).untrusted_text).toEqual({
      name: 'Кот 狗 🚀',
      symbol: null,
    });
  });

  test('shows what is invisible or turns text around as escapes', () => {
    expect(nameOf('a\u202eb\u200bc\nd')).toBe('a\\u202eb\\u200bc\\u000ad');
    expect(nameOf('\u{e0041}')).toBe('\\udb40\\udc41');
  });

  test('is cut to its bound, with an ellipsis and no half escape or half character', () => {
    expect(nameOf('a'.repeat(64))).toBe('a'.repeat(64));
    expect(nameOf('a'.repeat(65))).toBe(`${'a'.repeat(63)}…`);
    // 63 characters have room for ten escapes of six.
    expect(nameOf('\u202e'.repeat(50))).toBe(`${'\\u202e'.repeat(10)}…`);
    // Each of these letters is a pair of escapes.
    expect(nameOf('\u{e0041}'.repeat(50))).toBe(`${'\\udb40\\udc41'.repeat(5)}…`);
    expect(nameOf('🚀'.repeat(50))).toBe(`${'🚀'.repeat(31)}…`);
    expect(nameOf('\\'.repeat(64))).toBe(`${'\\\\'.repeat(31)}…`);
  });
});
