import { describe, expect, test } from 'vitest';
import { shortenAddress, showText, webUrl } from './texts.ts';

test('addresses are shortened to their ends', () => {
  expect(shortenAddress('7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU')).toBe('7xKX…gAsU');
  expect(shortenAddress('short')).toBe('short');
});

describe('showText', () => {
  test.each([
    ['plain', 'plain'],
    ['<script>alert(1)</script>', '<script>alert(1)</script>'],
    ['two\n\t lines', 'two lines'],
    // Right-to-left override, zero width space, and tag characters.
    ['abc\u202egnp.exe', 'abc\ufffdgnp.exe'],
    ['a\u200b\u200bb', 'a\ufffdb'],
    ['a\u{e0041}\u{e0042}b', 'a\ufffdb'],
    ['nul\u0000', 'nul\ufffd'],
    ['z\u0301\u0301\u0301\u0301\u0301\u0301', 'z\u0301\u0301\u0301'],
    ['عملة', 'عملة'],
    ['🐶🐱', '🐶🐱'],
  ])('%j is %j', (text, expected) => {
    expect(showText(text)).toBe(expected);
  });

  test('bounds the length', () => {
    expect([...showText('x'.repeat(10_000))]).toHaveLength(64);
    expect(showText('x'.repeat(10_000), 5)).toBe('xxxx…');
    expect(showText('🐶'.repeat(10), 3)).toBe('🐶🐶…');
  });
});

test('only addresses of the web are links', () => {
  expect(webUrl('https://example.com/a')?.href).toBe('https://example.com/a');
  for (const text of ['javascript:alert(1)', 'data:text/html,x', 'x', 'https://a:b@c.example/']) {
    expect(webUrl(text)).toBeNull();
  }
});
