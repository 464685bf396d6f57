import { describe, expect, test } from 'vitest';
import { displayText } from './display-text.ts';
import { displayWidth, padBefore, padTo } from './display-width.ts';

describe('text of third parties on a terminal', () => {
  test.each([
    ['an escape sequence', '\u001b[2Jgone', '\\u001b[2Jgone'],
    ['a sequence in one character', '\u009b31mred', '\\u009b31mred'],
    ['a line break', 'one\nmintscope: two', 'one\\u000amintscope: two'],
    ['a carriage return', 'SCAM\rSAFE', 'SCAM\\u000dSAFE'],
    ['a bell and a backspace', '\u0007\b', '\\u0007\\u0008'],
    ['an override of the direction', '\u202egnp.exe', '\\u202egnp.exe'],
    ['an isolate', '\u2066x\u2069', '\\u2066x\\u2069'],
    ['a zero-width space', 'US\u200bDC', 'US\\u200bDC'],
    ['a joiner', 'a\u200db', 'a\\u200db'],
    ['a line separator', 'a\u2028b', 'a\\u2028b'],
    ['a byte order mark', '\ufeffSOL', '\\ufeffSOL'],
    ['an invisible letter', 'a\u3164b', 'a\\u3164b'],
    ['a tag character', 'a\u{e0041}', 'a\\udb40\\udc41'],
    ['a wide space', 'a\u3000b', 'a\\u3000b'],
    ['half of a surrogate pair', 'a\ud800', 'a\\ud800'],
    ['a third mark on a letter', 'a\u0301\u0302\u0303', 'a\u0301\u0302\\u0303'],
    ['what looks like an escape', '\\u001b', '\\\\u001b'],
  ])('%s is shown as an escape', (_, text, shown) => {
    expect(displayText(text)).toBe(shown);
  });

  test.each(['Dogwifhat', '狗狗币', 'Собака', 'café', '🚀🌕', 'ไทย'])(
    '%s stays as it is',
    (name) => {
      expect(displayText(name)).toBe(name);
    },
  );

  test('no text of any characters contains what a terminal acts on', () => {
    for (let code = 0; code <= 0xffff; code++) {
      const text = displayText(String.fromCharCode(code));
      expect(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(text), code.toString(16)).toBe(false);
    }
  });
});

describe('columns that a text takes', () => {
  // Unicode annex 11: wide characters take two columns, marks none.
  test.each([
    ['cat', 3],
    ['狗狗币', 6],
    ['ｶﾅ', 2],
    ['Ａ', 2],
    ['cafe\u0301', 4],
    ['🚀', 2],
    ['\u001b[31mred\u001b[39m', 3],
    ['', 0],
  ])('%j: %i', (text, width) => {
    expect(displayWidth(text)).toBe(width);
  });

  test('columns are filled by width, not by number of characters', () => {
    expect(padTo('狗', 4)).toBe('狗  ');
    expect(padBefore('狗', 4)).toBe('  狗');
    expect(padTo('longer', 4)).toBe('longer');
  });
});
