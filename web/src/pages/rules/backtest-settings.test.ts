import { expect, test } from 'vitest';
import { DEFAULT_SETTINGS, orderOf } from './backtest-settings.tsx';

test('what is left empty is left to the API', () => {
  expect(orderOf(DEFAULT_SETTINGS)).toEqual({});
  const blank = { ...DEFAULT_SETTINGS.costs, tip_sol: '  ' };
  expect(orderOf({ costs: blank, variants: '\n---\n\n---  \n' })).toEqual({});
});

test('costs are sent as typed, without spaces around them', () => {
  const costs = { ...DEFAULT_SETTINGS.costs, failed_share: ' 0.25', network_sol: '0' };
  expect(orderOf({ ...DEFAULT_SETTINGS, costs })).toEqual({
    failed_share: '0.25',
    network_sol: '0',
  });
});

test('variants are divided by lines of three hyphens, and by nothing else', () => {
  const variants = 'name: one\nnote: "a --- b"\n---\nname: two\n  ---- no\n';
  expect(orderOf({ ...DEFAULT_SETTINGS, variants })).toEqual({
    variants: ['name: one\nnote: "a --- b"\n', 'name: two\n  ---- no\n'],
  });
});
