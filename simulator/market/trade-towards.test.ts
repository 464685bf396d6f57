import { describe, expect, test } from 'vitest';
import { Scene } from '../../tests/support/simulated-scene.ts';
import { rawPriceOf } from './genesis.ts';
import { tradeTowards } from './trade-towards.ts';

describe('a trade towards a price', () => {
  test.each([
    ['up', 189],
    ['down', 171],
  ])('moves a constant product until its fee leaves no profit (%s)', (_, solUsd) => {
    const scene = new Scene();
    const [pool] = scene.genesis.solUsdcPools;
    if (pool === undefined) throw new Error('the genesis has pools');
    const { ledger } = scene;
    const plan = tradeTowards(pool, ledger, rawPriceOf(solUsd));
    // Angeris and Chitra: with fee 1 - g the reserves x, y go to y' = √(g × x × y × price).
    const { baseRaw, quoteRaw } = pool.reserves(ledger);
    const [x, y] = [Number(baseRaw), Number(quoteRaw)];
    const price = rawPriceOf(solUsd);
    const g = 0.9975;
    const optimal =
      solUsd > 180
        ? (Math.sqrt(g * x * y * price) - y) / g
        : (Math.sqrt((g * x * y) / price) - x) / g;
    expect(plan?.side).toBe(solUsd > 180 ? 'buy' : 'sell');
    expect(Math.abs(Number(plan?.amountInRaw) / optimal - 1)).toBeLessThan(0.01);
  });

  test('is null if the fee leaves no profit', () => {
    const scene = new Scene();
    for (const pool of scene.genesis.solUsdcPools.slice(0, 2)) {
      expect(tradeTowards(pool, scene.ledger, rawPriceOf(180.2))).toBeNull();
      expect(tradeTowards(pool, scene.ledger, rawPriceOf(179.8))).toBeNull();
    }
  });

  test('pays no more than the given share of a reserve', () => {
    const scene = new Scene();
    for (const pool of scene.genesis.solUsdcPools) {
      const plan = tradeTowards(pool, scene.ledger, rawPriceOf(400), 0.01);
      const most = Number(pool.reserves(scene.ledger).quoteRaw) * 0.01;
      expect(plan?.side).toBe('buy');
      expect(Number(plan?.amountInRaw) / most).toBeCloseTo(1, 4);
    }
  });

  test('moves a pool of bins to the bin of the price', () => {
    const scene = new Scene();
    const pool = scene.genesis.solUsdcPools[2];
    if (pool === undefined) throw new Error('the genesis has a pool of bins');
    for (const solUsd of [196, 172]) {
      const plan = tradeTowards(pool, scene.ledger, rawPriceOf(solUsd), 1);
      if (plan === null) throw new Error('there is something to gain');
      const trader = scene.genesis.priceKeeper;
      scene.run({
        payer: trader,
        build: (on) => pool.swap(on, { trader, minOutRaw: 0n, ...plan }),
      });
      // A fee of 0.2 % and one bin of 0.2 %.
      expect(Math.abs(pool.spotPrice(scene.ledger) / rawPriceOf(solUsd) - 1)).toBeLessThan(0.005);
    }
  });
});
