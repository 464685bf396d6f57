import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { displayWidth } from './display-width.ts';
import { wrapCommand, wrapHanging, wrapText } from './wrap-text.ts';

describe('wrapped text', () => {
  test('breaks between words, and only breaks a word that is wider than a line', () => {
    expect(wrapText('slots are missing since an earlier run', 16)).toEqual([
      'slots are',
      'missing since an',
      'earlier run',
    ]);
    expect(wrapText('a 0123456789 b', 6)).toEqual(['a', '012345', '6789 b']);
  });

  test('counts columns, so that wide characters do not reach over the edge', () => {
    expect(wrapText('狗狗币', 5)).toEqual(['狗狗', '币']);
  });

  test('keeps line breaks, and indents all lines but the first', () => {
    expect(wrapText('one\ntwo', 10)).toEqual(['one', 'two']);
    expect(wrapHanging('12:00 one two three', 11, 6)).toEqual([
      '12:00',
      '      one',
      '      two',
      '      three',
    ]);
  });

  test('no line is wider than the width, and no word is lost', () => {
    const words = fc.array(fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 12 }));
    fc.assert(
      fc.property(words, fc.integer({ min: 2, max: 40 }), (parts, width) => {
        const text = parts.join(' ').replaceAll('\n', '');
        const lines = wrapText(text, width);
        expect(lines.every((line) => displayWidth(line) <= width)).toBe(true);
        expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
      }),
    );
  });
});

test('a command continues as in a shell, and none of its words is broken', () => {
  const command = ['curl', '-H "X-API-Key: secret"', 'http://127.0.0.1:8080/readyz'];
  expect(wrapCommand(command, 80)).toEqual([command.join(' ')]);
  expect(wrapCommand(command, 30)).toEqual([
    'curl -H "X-API-Key: secret" \\',
    '  http://127.0.0.1:8080/readyz',
  ]);
  expect(wrapCommand(command, 10)).toEqual([
    'curl \\',
    '  -H "X-API-Key: secret" \\',
    '  http://127.0.0.1:8080/readyz',
  ]);
});
