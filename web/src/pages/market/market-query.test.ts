import { expect, test } from 'vitest';
import { filtersOf, inWindow, pageOf } from './market-query.ts';

const of = (text: string) => filtersOf(new URLSearchParams(text), '1h');

test('filters of the address become parameters of the API, those of volumes in the window', () => {
  expect(
    of('q=cat&venue=pump&min_volume_usd=10k&max_age_seconds=2h&min_risk_score=50&tab=x'),
  ).toEqual({
    q: 'cat',
    venue: 'pump',
    min_volume_1h_usd: '10000',
    max_age_seconds: '7200',
    min_risk_score: '50',
  });
  expect(inWindow('organic_volume_usd', '5m')).toBe('organic_volume_5m_usd');
  expect(inWindow('price_change', '24h')).toBe('price_change_24h');
  expect(inWindow('marketcap_usd', '24h')).toBe('marketcap_usd');
});

test('what cannot be read is left out, and long searches are cut to what the API takes', () => {
  expect(of('min_liquidity_usd=lots&q=%20&launchpad=')).toEqual({});
  expect(of(`q=${'a'.repeat(900)}`)).toEqual({ q: 'a'.repeat(64) });
});

test.each([
  ['', 1],
  ['page=3', 3],
  ['page=0', 1],
  ['page=-1', 1],
  ['page=1.5', 1],
  ['page=1001', 1],
  ['page=x', 1],
])('the address "%s" shows page %i', (text, expected) => {
  expect(pageOf(new URLSearchParams(text))).toBe(expected);
});
