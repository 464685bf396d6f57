import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fakeCandle } from '../../../tests/support/fake-api-deps.ts';
import { asPriceE18, asRawAmount, asUsdNano } from '../../model/units.ts';
import { vwapContradictions, vwapOf } from './candle-vwap.ts';

const E18 = 10n ** 18n;

interface Trade {
  readonly baseRaw: bigint;
  readonly quoteRaw: bigint;
}

/** Trades of an amount of tokens for an amount of lamports, from dust to fortunes. */
const trades = fc.array(
  fc.record({
    baseRaw: fc.bigInt({ min: 1n, max: 10n ** 13n }),
    quoteRaw: fc.bigInt({ min: 1n, max: 10n ** 12n }),
  }),
  { minLength: 1, maxLength: 12 },
);
/** Trades at nearly one price: the range is narrow, so rounded values often leave it. */
const narrowTrades = fc
  .tuple(
    fc.bigInt({ min: 1n, max: 5_000n }),
    fc.array(fc.bigInt({ min: 1n, max: 60n }), { minLength: 1, maxLength: 12 }),
  )
  .map(([quoteRaw, bases]) => bases.map((base) => ({ baseRaw: base, quoteRaw: base * quoteRaw })));
const decimals = fc.constantFrom(0, 2, 6, 9);
/** Dollars of a SOL, times 10^18. */
const solUsd = fc.bigInt({ min: 1n, max: 1_000n * E18 });

/** Rounded half up. */
const rounded = (numerator: bigint, denominator: bigint) =>
  (2n * numerator + denominator) / (2n * denominator);

/** The candle of trades as METHODS defines its fields, from fractions that are rounded once. */
function candleOf(made: readonly Trade[], usdE18: bigint, baseDecimals: number) {
  const unit = 10n ** BigInt(baseDecimals);
  const prices = made.map(({ baseRaw, quoteRaw }) =>
    rounded(quoteRaw * usdE18 * unit, 10n ** 9n * baseRaw),
  );
  const values = made.map(({ quoteRaw }) => rounded(quoteRaw * usdE18, E18));
  const sum = (all: readonly bigint[]) => all.reduce((one, other) => one + other, 0n);
  const [low = 0n, ...others] = prices.toSorted((one, other) => (one < other ? -1 : 1));
  const high = others.at(-1) ?? low;
  const baseRaw = sum(made.map((trade) => trade.baseRaw));
  const quoteRaw = sum(made.map((trade) => trade.quoteRaw));
  const close = asPriceE18(prices.at(-1) ?? 0n);
  return {
    candle: {
      ...fakeCandle(0),
      usd: {
        open: asPriceE18(prices[0] ?? 0n),
        high: asPriceE18(high),
        low: asPriceE18(low),
        close,
      },
      pricingBaseRaw: asRawAmount(baseRaw),
      pricingUsd: asUsdNano(sum(values)),
      baseDecimals,
      trades: made.length,
    },
    /** The vwap of the exact values, rounded once. */
    exact: rounded(quoteRaw * usdE18 * unit, 10n ** 9n * baseRaw),
    /** Half a nano-dollar for each trade, as a price, and one for the rounding of the quotient. */
    error: (BigInt(made.length) * unit * 10n ** 9n) / (2n * baseRaw) + 1n,
  };
}

describe('the vwap of a candle', () => {
  test.each([
    ['any prices', trades],
    ['nearly one price', narrowTrades],
  ])('of trades at %s is in their range, and the exact one but for rounded values', (_, made) => {
    const before = vwapContradictions();
    fc.assert(
      fc.property(made, solUsd, decimals, (given, usdE18, baseDecimals) => {
        const { candle, exact, error } = candleOf(given, usdE18, baseDecimals);
        const vwap = vwapOf(candle) ?? -1n;
        expect(vwap >= candle.usd.low && vwap <= candle.usd.high).toBe(true);
        const difference = vwap > exact ? vwap - exact : exact - vwap;
        expect(difference <= error).toBe(true);
      }),
      { numRuns: 500 },
    );
    expect(vwapContradictions()).toBe(before);
  });

  test('is null, and counted, when the value of a trade is missing or twice in the sum', () => {
    const before = vwapContradictions();
    // 1,000 tokens at exactly 2 dollars each, twice: the range is one price.
    const trade = { baseRaw: 1_000_000_000n, quoteRaw: 10_000_000_000n };
    const { candle } = candleOf([trade, trade], 200n * E18, 6);
    expect(vwapOf(candle)).toBe(2n * E18);
    const { pricingUsd } = candle;
    for (const wrong of [
      pricingUsd / 2n,
      (pricingUsd * 3n) / 2n,
      pricingUsd + 2n,
      pricingUsd - 2n,
    ]) {
      expect(vwapOf({ ...candle, pricingUsd: asUsdNano(wrong) })).toBeNull();
    }
    expect(vwapContradictions() - before).toBe(4);
  });

  test('is moved into the range by half a nano-dollar for each trade, and no more', () => {
    const trade = { baseRaw: 1_000_000_000n, quoteRaw: 10_000_000_000n };
    const { candle } = candleOf([trade, trade], 200n * E18, 6);
    const { pricingUsd } = candle;
    expect(vwapOf({ ...candle, pricingUsd: asUsdNano(pricingUsd + 1n) })).toBe(2n * E18);
    expect(vwapOf({ ...candle, pricingUsd: asUsdNano(pricingUsd - 1n) })).toBe(2n * E18);
  });
});
