import { describe, expect, test } from 'vitest';
import type { Address } from '../../src/model/units.ts';
import { address } from '../../tests/support/build-transaction.ts';
import { Random } from '../random/random.ts';
import { cashtagOf, SocialTokens } from './social-tokens.ts';
import { mentionOf } from './token-mention.ts';

function mint(number: number): Address {
  return address(`mint ${number}`);
}

describe('social tokens', () => {
  test('have unique handles and sites, even if many share a symbol', () => {
    const tokens = new SocialTokens(new Random('tokens'));
    for (let number = 0; number < 200; number++) {
      tokens.add(mint(number), { name: 'Pepe', symbol: number % 2 === 0 ? 'PEPE' : 'pepe!' });
    }
    const handles = tokens.all().flatMap(({ handle }) => handle ?? []);
    const sites = tokens.all().flatMap(({ website }) => website ?? []);
    expect(handles.length).toBeGreaterThan(140);
    expect(sites.length).toBeGreaterThan(80);
    expect(new Set(handles).size).toBe(handles.length);
    expect(new Set(sites).size).toBe(sites.length);
    expect(handles.every((handle) => /^[a-z0-9_]{1,20}$/.test(handle))).toBe(true);
  });

  test('are not changed by a second registration', () => {
    const tokens = new SocialTokens(new Random('again'));
    const first = tokens.add(mint(1), { name: 'One', symbol: 'ONE' });
    expect(tokens.add(mint(1), { name: 'Two', symbol: 'TWO' })).toBe(first);
    expect(tokens.get(mint(2))).toBeNull();
  });

  test('are ambiguous by symbol only if another one is launched', () => {
    const tokens = new SocialTokens(new Random('ambiguous'));
    const one = tokens.add(mint(1), { name: 'One', symbol: 'CAT' });
    const other = tokens.add(mint(2), { name: 'Other', symbol: 'cat' });
    expect(tokens.isAmbiguous(one)).toBe(false);
    tokens.launched(one);
    expect(tokens.isAmbiguous(one)).toBe(false);
    expect(tokens.isAmbiguous(other)).toBe(true);
    tokens.launched(other);
    expect(tokens.isAmbiguous(one)).toBe(true);
  });

  test.each([
    ['WIF', '$WIF'],
    ['A', null],
    ['TOOLONGSYMBOL', null],
    ['two words', null],
    ['1000X', null],
    ['<b>', null],
  ])('with the symbol %s have the cashtag %s', (symbol, cashtag) => {
    const tokens = new SocialTokens(new Random('cashtag'));
    expect(cashtagOf(tokens.add(mint(1), { name: 'Name', symbol }))).toBe(cashtag);
  });

  test('are named by address, link, handle, cashtag or name, as declared', () => {
    const tokens = new SocialTokens(new Random('mentions'));
    const token = { ...tokens.add(mint(1), { name: 'Some Name', symbol: 'SOME' }) };
    const whole = { ...token, handle: 'some_sol', website: 'https://some-sol.example' };
    const random = new Random('draw');
    const patterns = {
      address: new RegExp(`${mint(1)}$`),
      link: /^https:\/\/(x\.com\/some_sol|some-sol\.example)$/,
      handle: /^@some_sol$/,
      cashtag: /^\$some$/i,
      name: /^Some Name$/,
    };
    const seen = new Set<string>();
    for (let draw = 0; draw < 500; draw++) {
      const { by, text } = mentionOf(random, tokens, whole);
      expect(text).toMatch(patterns[by]);
      seen.add(by);
    }
    expect(seen.size).toBe(5);
    const bare = { ...whole, handle: null, website: null, symbol: 'no tag' };
    const forms = Array.from({ length: 200 }, () => mentionOf(random, tokens, bare).by);
    expect(new Set(forms)).toEqual(new Set(['address', 'name']));
  });
});
