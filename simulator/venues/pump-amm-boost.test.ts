import { describe, expect, it } from 'vitest';
import { boostOf } from './pump-amm-boost.ts';
import { buyWithBudgetKept, sellTokens } from './pump-amm-math.ts';

describe('a pool with virtual quote', () => {
  it('sells the recorded amount of v2d2Jm2H… by budget', () => {
    const reserves = {
      baseRaw: 152_502_187_179_376n,
      quoteRaw: 1_941_817_726_351n + 301_716_155_377n,
    };
    const fees = { lpBps: 20n, protocolBps: 5n, creatorBps: 200n };
    expect(buyWithBudgetKept(reserves, 5_196_523_749n, fees)).toMatchObject({
      baseRaw: 344_675_460_426n,
      curveQuoteRaw: 5_082_174_814n,
      lpFeeRaw: 10_164_350n,
      protocolFeeRaw: 2_541_088n,
      creatorFeeRaw: 101_643_497n,
      traderQuoteRaw: 5_196_523_749n,
    });
  });

  it('buys back the recorded amount of LK86c649…', () => {
    const reserves = {
      baseRaw: 74_639_940_558_644n,
      quoteRaw: 218_307_085_056n + 17_584_418_739n,
    };
    const fees = { lpBps: 0n, protocolBps: 0n, creatorBps: 0n };
    expect(buyWithBudgetKept(reserves, 527_535_158n, fees).baseRaw).toBe(166_548_315_802n);
  });

  it('gives sellers the recorded amount of 4cEC86Wu…', () => {
    const reserves = { baseRaw: 696_466_813_570n, quoteRaw: 74_236_494_658_623_003n };
    const fees = { lpBps: 25n, protocolBps: 5n, creatorBps: 0n };
    expect(sellTokens(reserves, 7_282_637_458n, fees)).toMatchObject({
      curveQuoteRaw: 768_224_367_296_869n,
      traderQuoteRaw: 765_919_694_194_977n,
    });
  });

  it.each([
    [206_900_000_000_000n, 84_990_359_056n, 17_584_505_288n],
    [206_853_536_826_671n, 85_009_452_637n, 17_584_505_941n],
  ])('sets aside as much as the recorded migration of %s tokens', (baseRaw, quoteRaw, boost) => {
    expect(boostOf({ baseRaw, quoteRaw })).toBe(boost);
  });
});
