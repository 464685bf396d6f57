import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { LIBRARIES } from '../../web/src/pages/about/libraries.ts';

/** Where each package names its copyright. */
const SOURCES = [
  ['TradingView Lightweight Charts™', 'lightweight-charts/dist/lightweight-charts.production.mjs'],
  ['uPlot', 'uplot/LICENSE'],
  ['d3-force', 'd3-force/LICENSE'],
  ['Preact', 'preact/LICENSE'],
  ['Preact Signals', '@preact/signals/LICENSE'],
] as const;

test.each(SOURCES)('%s is named with the notice of its package', (name, file) => {
  const text = readFileSync(`node_modules/${file}`, 'utf8').slice(0, 2_000);
  const library = LIBRARIES.find((one) => one.name === name);
  expect(text).toContain(library?.notice);
});

test('no library is left out', () => {
  expect(LIBRARIES.map(({ name }) => name).sort()).toEqual(SOURCES.map(([name]) => name).sort());
});

test('candles link to the maker of their library, as its licence wants', () => {
  const readme = readFileSync('node_modules/lightweight-charts/README.md', 'utf8');
  expect(readme).toContain('a link to <https://www.tradingview.com/>');
  expect(LIBRARIES[0]?.url).toBe('https://www.tradingview.com/');
});
