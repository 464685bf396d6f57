import { describe, expect, test } from 'vitest';
import { Random } from '../random/random.ts';
import { HOSTILE_FORMS, makeHostile } from './hostile-text.ts';

const TEXT = 'buying $TOKEN at 40k';

describe('hostile texts', () => {
  test.each([
    ['markup', /<script>/],
    ['image', /onerror=/],
    ['rightToLeft', /\u202e/],
    ['nul', new RegExp(String.fromCharCode(0))],
    ['nulLike', /\\u0000/],
    ['marks', /\u0300\u0316/],
    ['loneSurrogate', /[\ud800-\udbff]$/],
    ['newRecord', /\n\{"kind":"delete"/],
    ['lineSeparator', /\u2028/],
    ['sql', /DROP TABLE/],
    ['formula', /^=/],
    ['long', /^.{10240}$/],
    ['prototype', /__proto__/],
  ])('of the form %s contain it and preserve the words of the author', (form, weapon) => {
    const hostile = HOSTILE_FORMS[form]?.(TEXT);
    expect(hostile).toMatch(weapon);
    expect(hostile).toContain(TEXT);
  });

  test('are all selected', () => {
    const random = new Random('hostile');
    const drawn = new Set(Array.from({ length: 500 }, () => makeHostile(random, TEXT)));
    expect(drawn.size).toBe(Object.keys(HOSTILE_FORMS).length);
  });
});
