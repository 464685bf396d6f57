import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fakePool } from '../../../tests/support/fake-api-deps.ts';
import { type PoolFigures, poolFiguresOf } from '../../model/pool-figures.ts';
import {
  type Condition,
  TRIGGER_FIELDS,
  TRIGGER_OPERATORS,
  type TriggerField,
} from '../../model/trigger.ts';
import { asLamports, asPriceE18, asRawAmount, asUsdNano } from '../../model/units.ts';
import { FIGURE_COUNT, roundFigures } from './condition.ts';
import { bindConditions, ConditionTable } from './condition-table.ts';

/** Ranges where neighbouring integers round to the same floating-point number, and others. */
const someAmount = fc.oneof(
  fc.bigInt({ min: 0n, max: 9n }),
  fc.bigInt({ min: 2n ** 53n - 3n, max: 2n ** 53n + 3n }),
  fc.bigInt({ min: 10n ** 20n - 3n, max: 10n ** 20n + 3n }),
);
const someFigures = fc
  .record({
    tokenDecimals: fc.constantFrom(0, 6, 9),
    sol: fc.option(someAmount),
    token: fc.option(someAmount),
    usd: fc.option(someAmount),
    count: fc.constantFrom(0, 3, Number.MAX_SAFE_INTEGER),
  })
  .map(({ tokenDecimals, sol, token, usd, count }): PoolFigures => {
    return {
      ...poolFiguresOf(fakePool()),
      tokenDecimals,
      solLamports: sol === null ? null : asLamports(sol),
      tokenRaw: token === null ? null : asRawAmount(token),
      buyCount: count,
      sellCount: Math.max(0, count - 1),
      buyVolumeUsd: usd === null ? null : asUsdNano(usd),
      sellVolumeUsd: usd === null ? null : asUsdNano(usd),
      totalVolumeUsd: usd === null ? null : asUsdNano(usd * 2n),
      priceUsd: usd === null ? null : asPriceE18(usd * 3n),
      liquidityUsd: usd === null ? null : asUsdNano(usd * 4n),
      marketCapUsd: usd === null ? null : asUsdNano(usd * 5n),
      organicRatioE4: token === null ? null : token % 10_001n,
      rawHolders: sol === null ? null : count,
      smartMoneyInflux10min: usd === null ? null : asUsdNano(usd * 6n),
      priceChange5mE4: sol === null ? null : -sol,
      priceChange1hE4: sol,
      fraudConfidenceE4: token === null ? null : token % 10_001n,
    };
  });
const isCount = (field: TriggerField) => field.startsWith('number_of') || field === 'raw_holders';

/** An amount with nine decimals, or an integer, optionally slightly increased. */
const someCondition = fc
  .record({
    field: fc.constantFrom(...TRIGGER_FIELDS),
    operator: fc.constantFrom(...TRIGGER_OPERATORS),
    amount: someAmount,
    more: fc.constantFrom('', '000000000', '000000001'),
  })
  .map(({ field, operator, amount, more }): Condition => {
    if (isCount(field)) return { field, operator, value: String(amount) };
    const digits = String(amount).padStart(10, '0');
    return { field, operator, value: `${digits.slice(0, -9)}.${digits.slice(-9)}${more}` };
  });

/** The reference: multiplies both sides to integers. */
function isTrue({ field, operator, value }: Condition, figures: PoolFigures): boolean {
  const scales: Record<TriggerField, readonly [bigint | null, number]> = {
    sol_amount: [figures.solLamports, 9],
    token_amount: [figures.tokenRaw, figures.tokenDecimals],
    number_of_buys: [BigInt(figures.buyCount), 0],
    number_of_sells: [BigInt(figures.sellCount), 0],
    buy_volume_usd: [figures.buyVolumeUsd, 9],
    sell_volume_usd: [figures.sellVolumeUsd, 9],
    total_volume_usd: [figures.totalVolumeUsd, 9],
    price_usd: [figures.priceUsd, 18],
    liquidity_usd: [figures.liquidityUsd, 9],
    marketcap_usd: [figures.marketCapUsd, 9],
    organic_to_total_wallets_ratio: [figures.organicRatioE4, 4],
    raw_holders: [figures.rawHolders === null ? null : BigInt(figures.rawHolders), 0],
    smart_money_influx_10min: [figures.smartMoneyInflux10min, 9],
    price_change_5m: [figures.priceChange5mE4, 4],
    price_change_1h: [figures.priceChange1hE4, 4],
    fraud_confidence: [figures.fraudConfidenceE4, 4],
  };
  const [figure, scale] = scales[field];
  if (figure === null) return false;
  const [whole = '', fraction = ''] = value.split('.');
  const left = figure * 10n ** BigInt(fraction.length);
  const right = BigInt(whole + fraction) * 10n ** BigInt(scale);
  return operator === 'gt' || operator === 'crosses_above' ? left > right : left < right;
}

test('the table evaluates each trigger exactly as its conditions do one by one', () => {
  const rounded = new Float64Array(FIGURE_COUNT);
  let met = 0;
  fc.assert(
    fc.property(
      someFigures,
      fc.array(fc.array(someCondition, { minLength: 1, maxLength: 3 }), { maxLength: 8 }),
      (figures, triggers) => {
        const table = new ConditionTable();
        for (const conditions of triggers) {
          table.add(bindConditions(conditions, figures.tokenDecimals));
        }
        roundFigures(figures, rounded);
        const actual = triggers.map((_, index) => table.isMet(index, rounded, figures));
        const expected = triggers.map((conditions) =>
          conditions.every((condition) => isTrue(condition, figures)),
        );
        expect(actual).toEqual(expected);
        met += actual.filter(Boolean).length;
      },
    ),
    { numRuns: 3_000 },
  );
  expect(met).toBeGreaterThan(1_000);
});
