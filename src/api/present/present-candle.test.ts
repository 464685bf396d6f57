import { describe, expect, test } from 'vitest';
import { fakeCandle } from '../../../tests/support/fake-api-deps.ts';
import { asPriceE18, asRawAmount, asUsdNano } from '../../model/units.ts';
import { vwapContradictions } from './candle-vwap.ts';
import { presentCandle } from './present-candle.ts';

const NOON = Date.UTC(2025, 0, 15, 12);

describe('a candle on the wire', () => {
  test('has prices trimmed, volume in cents, and vwap = value / base', () => {
    // 2 tokens for 3 USD: 1.5 USD each.
    expect(presentCandle(fakeCandle(NOON), 'price_usd')).toEqual({
      timestamp: '2025-01-15T12:00:00.000Z',
      open: '1.5',
      high: '1.5',
      low: '1.5',
      close: '1.5',
      volume: '3.00',
      vwap: '1.5',
    });
  });

  test('has market caps of price × supply, and the volume still in USD', () => {
    // 1,000 tokens at 1.5 USD.
    expect(presentCandle(fakeCandle(NOON), 'marketcap_usd')).toMatchObject({
      open: '1500.00',
      close: '1500.00',
      volume: '3.00',
      vwap: '1500.00',
    });
  });

  test('rounds market caps half up in one step', () => {
    // 4999.9999999999995 USD × 0.000001 tokens is just under half a cent, but rounds to half a cent
    // if it is first rounded to eighteen digits.
    const price = asPriceE18(4_999_999_999_999_999_500_000n);
    const usd = { open: price, high: price, low: price, close: price };
    const candle = fakeCandle(NOON, { usd, supplyRaw: asRawAmount(1n) });
    expect(presentCandle(candle, 'marketcap_usd').open).toBe('0.00');
  });

  test('has eighteen digits and never an exponent', () => {
    const price = asPriceE18(1n);
    const candle = fakeCandle(NOON, {
      usd: { open: price, high: price, low: price, close: price },
    });
    expect(presentCandle(candle, 'price_usd').low).toBe('0.000000000000000001');
  });

  test('has null market caps where the supply is unknown', () => {
    expect(presentCandle(fakeCandle(NOON, { supplyRaw: null }), 'marketcap_usd')).toMatchObject({
      open: null,
      vwap: null,
      volume: '3.00',
    });
  });

  test('has null prices where no trade could set one, and still a volume', () => {
    expect(presentCandle(fakeCandle(NOON, { usd: null }), 'price_usd')).toMatchObject({
      open: null,
      high: null,
      low: null,
      close: null,
      volume: '3.00',
    });
  });

  test.each([
    [1_800_000n, '3.00'],
    [1_799_999n, null],
  ])('of 2,000,000 base units, %i with a USD value, has volume %s', (priced, volume) => {
    const candle = fakeCandle(NOON, { pricedBaseVolumeRaw: asRawAmount(priced) });
    expect(presentCandle(candle, 'price_usd')).toMatchObject({ volume, vwap: '1.5' });
  });

  const price = (text: string) => asPriceE18(BigInt(text) * 10n ** 15n);
  const range = {
    open: price('1000'),
    high: price('2000'),
    low: price('1000'),
    close: price('2000'),
  };

  test.each([
    // 1 token for 1 USD and 2 tokens for 4 USD: 5 USD by 3 tokens.
    [3_000_000n, 5_000_000_000n, '1.666666666666666667', '1666.67'],
  ])('%i base units for %i billionths of USD have the vwap %s', (base, usd, vwap, marketCap) => {
    const candle = fakeCandle(NOON, {
      usd: range,
      pricingBaseRaw: asRawAmount(base),
      pricingUsd: asUsdNano(usd),
    });
    expect(presentCandle(candle, 'price_usd').vwap).toBe(vwap);
    expect(presentCandle(candle, 'marketcap_usd').vwap).toBe(marketCap);
  });

  test('whose value is outside its range by more than rounding has no vwap, and is counted', () => {
    const before = vwapContradictions();
    for (const value of [2_999_998_999n, 6_000_001_001n]) {
      const candle = fakeCandle(NOON, {
        usd: range,
        pricingBaseRaw: asRawAmount(3_000_000n),
        pricingUsd: asUsdNano(value),
      });
      expect(presentCandle(candle, 'price_usd')).toMatchObject({ low: '1', high: '2', vwap: null });
    }
    expect(vwapContradictions() - before).toBe(2);
  });

  test('that is flat has its close as vwap', () => {
    const none = { pricingBaseRaw: asRawAmount(0n), pricingUsd: asUsdNano(0n) };
    const candle = fakeCandle(NOON, none);
    expect(presentCandle(candle, 'price_usd')).toMatchObject({ volume: '3.00', vwap: '1.5' });
  });

  test.each(['price_usd', 'marketcap_usd'] as const)(
    'of a token with 255 decimals is presented as %s',
    (metric) => {
      const candle = fakeCandle(NOON, { baseDecimals: 255 });
      expect(presentCandle(candle, metric)).toMatchObject({ volume: '3.00' });
    },
  );
});
