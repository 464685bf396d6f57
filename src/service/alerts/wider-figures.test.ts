import { describe, expect, test } from 'vitest';
import {
  fakeIndicators,
  fakePool,
  fakeToken,
  fakeWindows,
} from '../../../tests/support/fake-api-deps.ts';
import { asPriceE18, asRawAmount, asUsdNano } from '../../model/units.ts';
import { widerFiguresOf } from './wider-figures.ts';

const E18 = 10n ** 18n;

describe('the figures that triggers compare beside those of a pool', () => {
  const token = fakeToken({
    supplyRaw: asRawAmount(1_000_000_000n),
    burnedRaw: asRawAmount(250_000_000n),
    decimals: 6,
  });
  const pool = fakePool({ priceUsd: asPriceE18(2n * E18) });

  test('are the value of the circulating supply and the current indicators', () => {
    const indicators = fakeIndicators({
      ...{ totalWallets: 7, organicToTotalWalletsRatio: 0.5714, rawHolders: 12 },
      smartMoneyInflux10min: asUsdNano(5n),
    });
    const source = { token: () => token, indicators: () => indicators };
    const windows = fakeWindows();
    const market = {
      windowsOf: () => ({
        ...windows,
        '5m': { ...windows['5m'], priceChange: -0.0312 },
        '1h': { ...windows['1h'], priceChange: null },
      }),
      confidenceOf: () => 0.8581,
    };
    // 750 whole tokens at 2 dollars.
    expect(widerFiguresOf(source, market, pool)).toEqual({
      ...{ marketCapUsd: 1_500n * 10n ** 9n, organicRatioE4: 5_714n },
      ...{ rawHolders: 12, smartMoneyInflux10min: 5n },
      ...{ priceChange5mE4: -312n, priceChange1hE4: null, fraudConfidenceE4: 8_581n },
    });
  });

  test('are unknown where their source is', () => {
    const nothing = {
      ...{ marketCapUsd: null, organicRatioE4: null, rawHolders: null },
      smartMoneyInflux10min: null,
      ...{ priceChange5mE4: null, priceChange1hE4: null, fraudConfidenceE4: null },
    };
    expect(widerFiguresOf({ token: () => null, indicators: () => null }, null, pool)).toEqual(
      nothing,
    );
    const empty = fakeIndicators({ totalWallets: 0, smartMoneyInflux10min: null });
    const source = { token: () => token, indicators: () => empty };
    expect(widerFiguresOf(source, null, fakePool({ priceUsd: null }))).toEqual({
      ...nothing,
      rawHolders: empty.rawHolders,
    });
  });
});
