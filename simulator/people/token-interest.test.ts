import { describe, expect, test } from 'vitest';
import { PeopleMarket, SOL } from '../../tests/support/people-market.ts';
import { type Holder, TokenInterest } from './token-interest.ts';

/** A token whose curve was moved from its start by a purchase at creation. */
function scene() {
  const market = new PeopleMarket('interest', {});
  market.planLaunch(100, 0, 3n * SOL);
  market.run(3);
  const [token] = market.launches;
  if (token === undefined) throw new Error('nothing was launched');
  let arrived = 0;
  const interest = new TokenInterest(
    market.world,
    token,
    { quality: 0.5, startMs: market.world.nowMs },
    { ratio: 0.5, echoMs: 1_000 },
    { arrive: () => arrived++, report: () => undefined },
  );
  return { market, interest, arrived: () => arrived };
}

describe('interest in a token', () => {
  test('calls the holders whose prices are reached, once, and no others', () => {
    const { market, interest } = scene();
    const price = interest.price();
    // Three SOL on thirty virtual ones, minus 1.25 per cent: (1 + 3 / 1.0125 / 30) squared.
    expect(price / (30e9 / 1.073e15)).toBeCloseTo((1 + 3 / 1.0125 / 30) ** 2, 4);
    const called: string[] = [];
    const hold = (name: string, profit: number | null, loss: number | null): Holder => ({
      address: market.world.keyring.wallet(),
      profitPrice: profit === null ? null : price * profit,
      lossPrice: loss === null ? null : price * loss,
      takeProfit: () => called.push(`${name} wins`),
      stopLoss: () => called.push(`${name} loses`),
      leave: () => undefined,
    });
    const gone = hold('gone', 0.8, 1.2);
    const holders = [gone, hold('one', 0.9, 0.5), hold('two', 2, 1.1), hold('three', null, null)];
    for (const holder of holders) interest.addHolder(holder);
    interest.holders.delete(gone.address);
    interest.checkPrice();
    interest.checkPrice();
    expect(called).toEqual(['one wins', 'two loses']);
  });

  test('watches the prices of current holders, however many have left', () => {
    const { market, interest } = scene();
    const price = interest.price();
    const called: number[] = [];
    for (let index = 0; index < 1_000; index++) {
      const address = market.world.keyring.wallet();
      interest.addHolder({
        address,
        profitPrice: price * 0.9,
        lossPrice: null,
        takeProfit: () => called.push(index),
        stopLoss: () => undefined,
        leave: () => undefined,
      });
      if (index % 100 !== 0) interest.holders.delete(address);
    }
    interest.checkPrice();
    expect(called.toSorted((one, other) => one - other)).toEqual(
      Array.from({ length: 10 }, (_, hundred) => hundred * 100),
    );
  });

  test('generates the expected number of arrivals, and none once it is over', () => {
    const { market, interest, arrived } = scene();
    interest.addArrivals({ count: 200, fadeMs: 5_000 });
    market.run(100);
    // Poisson: 200 with a standard deviation of 14.
    expect(arrived()).toBeGreaterThan(140);
    expect(arrived()).toBeLessThan(260);
    const before = arrived();
    interest.addArrivals({ count: 200, fadeMs: 5_000 });
    interest.end();
    market.run(50);
    expect(arrived()).toBe(before);
  });

  test('is excited by a purchase as often as its ratio says', () => {
    const { market, interest, arrived } = scene();
    for (let count = 0; count < 1_000; count++) interest.excite();
    market.run(100);
    expect(arrived()).toBeGreaterThan(410);
    expect(arrived()).toBeLessThan(590);
  });

  test('returns the curve first and, after the migration, the pool', () => {
    const market = new PeopleMarket('moves', {});
    market.planLaunch(100, 0, 100n * SOL);
    market.run(2);
    const [token] = market.launches;
    const interest = token === undefined ? null : market.crowd.interestIn(token.mint);
    expect(interest?.firstMarket()?.venue).toBe('pump');
    expect(interest?.openMarkets()).toEqual([]);
    market.run(20);
    expect(interest?.openMarkets().map(({ venue }) => venue)).toEqual(['pump_amm']);
  });
});
