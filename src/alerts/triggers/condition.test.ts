import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fakePool } from '../../../tests/support/fake-api-deps.ts';
import { type PoolFigures, poolFiguresOf } from '../../model/pool-figures.ts';
import {
  type Condition,
  TRIGGER_FIELDS,
  TRIGGER_OPERATORS,
  type TriggerField,
  type TriggerOperator,
} from '../../model/trigger.ts';
import { isThreshold } from '../../model/trigger-threshold.ts';
import { asLamports, asPriceE18, asRawAmount, asUsdNano } from '../../model/units.ts';
import { compareConditions, FIGURE_COUNT, isMetExactly, roundFigures } from './condition.ts';
import { bindConditions, ConditionTable } from './condition-table.ts';

const NOTHING = poolFiguresOf(fakePool());

function areMet(conditions: readonly Condition[], now: PoolFigures): boolean {
  const table = new ConditionTable();
  table.add(bindConditions(conditions, now.tokenDecimals));
  const rounded = new Float64Array(FIGURE_COUNT);
  roundFigures(now, rounded);
  return table.isMet(0, rounded, now);
}

function isMet(field: TriggerField, operator: TriggerOperator, value: string, now: PoolFigures) {
  return areMet([{ field, operator, value }], now);
}

const isCount = (field: TriggerField) => field.startsWith('number_of') || field === 'raw_holders';

const RATIOS: ReadonlySet<TriggerField> = new Set([
  ...(['organic_to_total_wallets_ratio', 'price_change_5m', 'price_change_1h'] as const),
  'fraud_confidence',
]);

function scaleOf(field: TriggerField, tokenDecimals: number): number {
  if (isCount(field)) return 0;
  if (RATIOS.has(field)) return 4;
  if (field === 'price_usd') return 18;
  return field === 'token_amount' ? tokenDecimals : 9;
}

const isAbove = (operator: TriggerOperator) => operator === 'gt' || operator === 'crosses_above';

test('the figure shown as compared decides the condition', () => {
  const figure = fc.bigInt({ min: 0n, max: 10n ** 20n });
  const drawn = fc.record({ sol: figure, token: figure, buys: fc.nat() });
  const condition = fc.record({
    field: fc.constantFrom<TriggerField[]>('sol_amount', 'token_amount', 'number_of_buys'),
    operator: fc.constantFrom(...TRIGGER_OPERATORS),
    value: fc.nat().map(String),
  });
  fc.assert(
    fc.property(drawn, condition, ({ sol, token, buys }, asked) => {
      const now: PoolFigures = {
        ...NOTHING,
        solLamports: asLamports(sol),
        tokenRaw: asRawAmount(token),
        buyCount: buys,
      };
      const [comparison] = compareConditions([asked], now);
      const [compared, value] = [new Decimal(comparison?.compared ?? ''), asked.value];
      const isTrue = isAbove(asked.operator) ? compared.gt(value) : compared.lt(value);
      expect(isTrue).toBe(areMet([asked], now));
      expect(comparison).toMatchObject(asked);
    }),
  );
});

test('an unknown figure is shown as unknown', () => {
  const condition: Condition = { field: 'sol_amount', operator: 'gt', value: '1' };
  expect(compareConditions([condition], { ...NOTHING, solLamports: null })).toEqual([
    { ...condition, compared: null },
  ]);
});

test.each([true, false])('an unknown figure meets no bound (isAbove: %s)', (isAbove) => {
  const condition = { field: TRIGGER_FIELDS.indexOf('sol_amount'), isAbove, bound: 7n, rounded: 7 };
  expect(isMetExactly(condition, { ...NOTHING, solLamports: null })).toBe(false);
});

describe('a threshold', () => {
  test.each([
    '0',
    '12',
    '007',
    '12.5',
    '0.000000000000000001',
    '123456789012345678901234567890',
    '123456789012.345678901234567890',
  ])('may be %s', (text) => {
    expect(isThreshold('sol_amount', text)).toBe(true);
  });

  test.each([
    '',
    ' 1',
    '1 ',
    '-1',
    '+1',
    '1e3',
    '1.',
    '.5',
    '1,000',
    '0x10',
    'NaN',
    '１２',
    '1_000',
    '0.0000000000000000001',
    '1234567890123456789012345678901',
  ])('is not %j', (text) => {
    expect(isThreshold('sol_amount', text)).toBe(false);
  });

  test('of a count must be an integer, in any notation', () => {
    expect(isThreshold('number_of_buys', '3.000')).toBe(true);
    expect(isThreshold('number_of_buys', '3.5')).toBe(false);
  });
});

describe('a condition', () => {
  const sol = (lamports: bigint) => ({ ...NOTHING, solLamports: asLamports(lamports) });

  test('is strict: an equal figure is neither above nor below', () => {
    for (const operator of TRIGGER_OPERATORS) {
      expect(isMet('sol_amount', operator, '1.5', sol(1_500_000_000n))).toBe(false);
    }
    expect(isMet('sol_amount', 'gt', '1.5', sol(1_500_000_001n))).toBe(true);
    expect(isMet('sol_amount', 'lt', '1.5', sol(1_499_999_999n))).toBe(true);
  });

  test('respects digits of the threshold beyond the scale of the figure', () => {
    const justAbove = '1.500000000000000001';
    expect(isMet('sol_amount', 'lt', justAbove, sol(1_500_000_000n))).toBe(true);
    expect(isMet('sol_amount', 'gt', justAbove, sol(1_500_000_000n))).toBe(false);
    expect(isMet('sol_amount', 'gt', justAbove, sol(1_500_000_001n))).toBe(true);
  });

  test('reads token amounts by the decimals of the mint', () => {
    const tokens = (tokenDecimals: number) => ({
      ...NOTHING,
      tokenDecimals,
      tokenRaw: asRawAmount(1_000n),
    });
    expect(isMet('token_amount', 'gt', '999', tokens(0))).toBe(true);
    expect(isMet('token_amount', 'gt', '0.9', tokens(3))).toBe(true);
    expect(isMet('token_amount', 'gt', '1', tokens(3))).toBe(false);
  });

  test('is false for an unknown figure with either operator', () => {
    for (const operator of TRIGGER_OPERATORS) {
      expect(isMet('sol_amount', operator, '0', NOTHING)).toBe(false);
      expect(isMet('token_amount', operator, '1000000', NOTHING)).toBe(false);
    }
  });

  test('is met only together with the other conditions of its trigger', () => {
    const both = (now: PoolFigures) =>
      areMet(
        [
          { field: 'number_of_buys', operator: 'gt', value: '2' },
          { field: 'number_of_sells', operator: 'lt', value: '2' },
        ],
        now,
      );
    expect(both({ ...NOTHING, buyCount: 3, sellCount: 1 })).toBe(true);
    expect(both({ ...NOTHING, buyCount: 3, sellCount: 2 })).toBe(false);
    expect(both({ ...NOTHING, buyCount: 2, sellCount: 1 })).toBe(false);
  });

  test('agrees with arbitrary-precision decimals for every field and scale', () => {
    const exact = Decimal.clone({ precision: 300 });
    fc.assert(
      fc.property(
        fc.constantFrom(...TRIGGER_FIELDS),
        fc.constantFrom(...TRIGGER_OPERATORS),
        fc.integer({ min: 0, max: 255 }),
        fc.bigInt({ min: 0n, max: 10n ** 20n }),
        fc.bigInt({ min: -2n, max: 2n }),
        fc.integer({ min: 0, max: 18 }),
        (field, operator, tokenDecimals, amount, nudge, fractionDigits) => {
          const raw = isCount(field) ? amount % 1_000n : amount;
          const figures: PoolFigures = {
            ...NOTHING,
            tokenDecimals,
            solLamports: asLamports(raw),
            tokenRaw: asRawAmount(raw),
            buyCount: Number(raw % 1_000n),
            sellCount: Number(raw % 1_000n),
            buyVolumeUsd: asUsdNano(raw),
            sellVolumeUsd: asUsdNano(raw),
            totalVolumeUsd: asUsdNano(raw),
            priceUsd: asPriceE18(raw),
            liquidityUsd: asUsdNano(raw),
            marketCapUsd: asUsdNano(raw),
            organicRatioE4: raw,
            rawHolders: Number(raw % 1_000n),
            smartMoneyInflux10min: asUsdNano(raw),
            priceChange5mE4: raw,
            priceChange1hE4: raw,
            fraudConfidenceE4: raw,
          };
          const scale = scaleOf(field, tokenDecimals);
          const figure = new exact(raw.toString()).div(new exact(10).pow(scale));
          const value = figure
            .plus(new exact(nudge.toString()).div(new exact(10).pow(fractionDigits)))
            .abs()
            .toFixed(isCount(field) ? 0 : fractionDigits, 1);
          fc.pre(isThreshold(field, value));
          const expected = isAbove(operator) ? figure.gt(value) : figure.lt(value);
          expect(isMet(field, operator, value, figures)).toBe(expected);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
