import { describe, expect, it } from 'vitest';
import { fillByBudget, fillByTokens } from './pump-curve-fill.ts';
import { CURVE_FEES, START_OF_CURVE } from './pump-curve-math.ts';

describe('purchases past the end of a curve', () => {
  const reserved = { reservedRaw: 206_900_000_000_000n, migrationFeeRaw: 15_000_001n };

  it('by budget equal the recorded one of 3hYp997p…: 0.0198 SOL', () => {
    // Before its TradeEvent: 465,127 lamports and 1,132,030,466 tokens before the end.
    const before = {
      virtualBaseRaw: 279_900_000_000_000n + 1_132_030_466n,
      virtualQuoteRaw: 115_005_362_212n - 465_127n,
      realBaseRaw: 1_132_030_466n,
      realQuoteRaw: 85_005_362_212n - 465_127n,
    };
    expect(fillByBudget(before, reserved, 19_800_000n, CURVE_FEES)).toEqual({
      trade: {
        baseRaw: 1_132_030_466n,
        quoteRaw: 465_127n,
        protocolFeeRaw: 4_419n,
        creatorFeeRaw: 1_396n,
      },
      beyond: {
        baseRaw: 46_463_173_329n,
        quoteRaw: 19_090_426n,
        protocolFeeRaw: 181_360n,
        creatorFeeRaw: 57_272n,
        before: { baseRaw: 206_900_000_000_000n, quoteRaw: 84_990_362_211n },
      },
    });
  });

  it('by tokens equal the recorded one of 2EgRjJcU…: 1,600,000 tokens', () => {
    const before = {
      virtualBaseRaw: 279_900_000_000_000n + 989_153_886_363n,
      virtualQuoteRaw: 115_005_359_062n - 404_992_491n,
      realBaseRaw: 989_153_886_363n,
      realQuoteRaw: 85_005_359_062n - 404_992_491n,
    };
    const fill = fillByTokens(before, reserved, 1_600_000_000_000n, CURVE_FEES);
    expect(fill?.trade).toMatchObject({ quoteRaw: 404_992_491n, protocolFeeRaw: 3_847_429n });
    expect(fill?.beyond).toMatchObject({
      baseRaw: 610_846_113_637n,
      quoteRaw: 251_666_312n,
      protocolFeeRaw: 2_390_830n,
      creatorFeeRaw: 754_999n,
    });
  });

  it('end with the curve if there is no future pool', () => {
    const fill = fillByBudget(START_OF_CURVE, null, 1_000_000_000_000n, CURVE_FEES);
    expect([fill.trade.baseRaw, fill.beyond]).toEqual([793_100_000_000_000n, null]);
  });
});
