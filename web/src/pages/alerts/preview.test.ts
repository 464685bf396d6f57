import { describe, expect, test } from 'vitest';
import type { Condition, Figures } from './alert-types.ts';
import { previewOf, standingOf } from './preview.ts';
import { NO_FIGURES } from './use-target.ts';

const FIGURES: Figures = {
  ...NO_FIGURES,
  sol_amount: '85.500000000',
  token_amount: '1000.000000',
  number_of_buys: '412',
  number_of_sells: '290',
  buy_volume_usd: null,
  sell_volume_usd: null,
  total_volume_usd: null,
  price_usd: '0.000000000000000001',
  liquidity_usd: '30780.00',
  marketcap_usd: '34628.90',
  organic_to_total_wallets_ratio: '0.9870',
  raw_holders: '152',
  smart_money_influx_10min: null,
};

const above = (value: string): Condition => ({ field: 'sol_amount', operator: 'gt', value });

describe('the preview of a trigger', () => {
  test('compares exactly, and equal is neither above nor below', () => {
    expect(standingOf(above('85.5'), FIGURES)).toBe('false');
    expect(standingOf({ ...above('85.5'), operator: 'lt' }, FIGURES)).toBe('false');
    expect(standingOf(above('85.499999999999999999'), FIGURES)).toBe('true');
    expect(standingOf({ field: 'price_usd', operator: 'gt', value: '0' }, FIGURES)).toBe('true');
  });

  test('fires only if all conditions hold', () => {
    expect(previewOf([above('80')], FIGURES)).toMatch(/^Would fire now/);
    expect(previewOf([above('80'), above('90')], FIGURES)).toBe(
      'Would not fire now: 1 of 2 conditions hold.',
    );
  });

  test('says that a figure is not known rather than that it is zero', () => {
    const volume: Condition = { field: 'total_volume_usd', operator: 'lt', value: '5' };
    expect(standingOf(volume, FIGURES)).toBe('unknown');
    expect(previewOf([volume], FIGURES)).toMatch(/^Not known/);
    expect(previewOf([volume, above('90')], FIGURES)).toMatch(/^Would not fire now/);
  });

  test('never fires a crossing at once, alone or with others', () => {
    const crossing: Condition = { ...above('80'), operator: 'crosses_above' };
    expect(previewOf([crossing], FIGURES)).toMatch(/already there/);
    expect(previewOf([{ ...crossing, value: '90' }], FIGURES)).toMatch(/fires when the figure/);
    expect(previewOf([crossing, above('80')], FIGURES)).toMatch(/in the slot of the crossing/);
  });

  test('never fires for a hit at once, whatever else is true', () => {
    const hit: Condition = { ...above('0.5'), field: 'rule_hit_confidence', rule_id: 'dip' };
    expect(standingOf(hit, FIGURES)).toBe('hit');
    expect(previewOf([hit, above('80')], FIGURES)).toMatch(/in each slot with a hit/);
    expect(previewOf([{ ...hit, value: '' }], FIGURES)).toBe('Enter a value for each condition.');
  });

  test('asks for values', () => {
    expect(previewOf([above('')], FIGURES)).toBe('Enter a value for each condition.');
    expect(previewOf([above('1e5')], FIGURES)).toBe('Enter a value for each condition.');
  });
});
